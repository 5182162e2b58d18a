import { expect } from 'chai';
import { textPdf } from './samples.ts';
import type { TestUser } from './service.ts';
import { eventually } from '../../../test/expectations.ts';

/** The id of an accepted upload. */
export const acceptedId = async (response: Response): Promise<string> => {
  expect(response.status).to.equal(200);
  return ((await response.json()) as { document: { id: string } }).document.id;
};

/** Waits until a document is completed or failed, and returns this status. */
export const finalStatus = (user: TestUser, id: string): Promise<string> =>
  eventually(async () => {
    const { document } = (await (await user.fetch(`/v1/documents/${id}`)).json()) as {
      document: { status: string; processed_at: string | null };
    };
    return document.processed_at === null ? undefined : document.status;
  });

/**
 * Uploads a PDF with one page for each text, waits until it is completed, and returns its id. A text needs about 20
 * letters, so that the worker uses the text layer.
 */
export const aCompletedDocument = async (
  user: TestUser,
  pages: readonly string[] = ['What was read on this page of paper'],
  title?: string,
  filename = 'scan.pdf',
): Promise<string> => {
  const id = await acceptedId(await user.upload(textPdf(...pages), filename, title));
  expect(await finalStatus(user, id)).to.equal('completed');
  return id;
};

/** Saves a revision. */
export const revise = (
  user: TestUser,
  id: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  user.fetch(`/v1/documents/${id}/ocr`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ revised_text: text }),
  });

/** The JSON body of a response with status 200. */
export const jsonOf = async <T>(response: Response): Promise<T> => {
  expect(response.status).to.equal(200);
  return (await response.json()) as T;
};
