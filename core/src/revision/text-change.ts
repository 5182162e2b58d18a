/** A part of a text that was kept, inserted or deleted. */
export interface TextChange {
  readonly op: 'equal' | 'insert' | 'delete';
  readonly text: string;
}
