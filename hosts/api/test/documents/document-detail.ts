import type { TestUser } from '../service.ts';
import { eventually } from '../../../../test/expectations.ts';

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

/** The response of `GET /v1/documents/:id`. */
export interface DocumentDetail {
  readonly document: {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly processed_at: string | null;
  };
  readonly original_filename: string;
  readonly content_type: string;
  readonly error_message: string | null;
  readonly ocr: null | {
    readonly engine: string;
    readonly language: string;
    readonly text: string;
    readonly revised_text: string | null;
    readonly revised_at: string | null;
  };
}

export const detail = async (user: TestUser, id: string): Promise<DocumentDetail> =>
  (await (await user.fetch(`/v1/documents/${id}`)).json()) as DocumentDetail;

/** The detail of a document after processing has ended. */
export const finished = (user: TestUser, id: string): Promise<DocumentDetail> =>
  eventually(async () => {
    const found = await detail(user, id);
    return found.document.processed_at === null ? undefined : found;
  });
