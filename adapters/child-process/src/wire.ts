/** What goes over the channel between the process and its children. */
export interface RequestMessage<Request> {
  readonly id: number;
  readonly request: Request;
}

/** A refusal by code, or a fault. After a fault, and after a refusal that an engine's fault led to, the child is spoilt. */
export interface Refusal {
  readonly code?: string;
  readonly message: string;
  readonly cause?: string;
  readonly spoilt: boolean;
}

export type ResponseMessage<Answer> =
  { readonly id: number; readonly result: Answer } | { readonly id: number; readonly refusal: Refusal };

/** Under this name a child finds the id of the process that started it. */
export const PARENT_ID_VARIABLE = 'PALIMPSEST_PARENT';
/** Under this name a child finds the file descriptor on which it reports its memory; unset if it need not. */
export const MEMORY_REPORT_VARIABLE = 'PALIMPSEST_MEMORY_FD';
