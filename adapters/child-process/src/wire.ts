/** The message that sends a request to a child. */
export interface RequestMessage<Request> {
  readonly id: number;
  readonly request: Request;
}

/** An error that the child reports: with the code of an `AppError`, or without a code for any other error. */
export interface ReportedError {
  readonly code?: string;
  readonly message: string;
  readonly cause?: string;
  readonly isChildUsable: boolean; // false if the engine itself failed, so that the child must be replaced
}

/** The message in which a child answers the request with this `id`. */
export type ResponseMessage<Answer> =
  { readonly id: number; readonly result: Answer } | { readonly id: number; readonly error: ReportedError };

/** The environment variable with the process id of a child's parent. */
export const PARENT_ID_VARIABLE = 'PALIMPSEST_PARENT';
/**
 * The environment variable with the file descriptor to which a child reports its memory; unset if it need not report.
 */
export const MEMORY_REPORT_VARIABLE = 'PALIMPSEST_MEMORY_FD';
