/** The messages between this process and its children. */
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

export type ResponseMessage<Answer> =
  { readonly id: number; readonly result: Answer } | { readonly id: number; readonly error: ReportedError };

/** The environment variable that tells a child the process id of its parent. */
export const PARENT_ID_VARIABLE = 'PALIMPSEST_PARENT';
/** The environment variable with the file descriptor to which a child reports its memory; unset if it need not report. */
export const MEMORY_REPORT_VARIABLE = 'PALIMPSEST_MEMORY_FD';
