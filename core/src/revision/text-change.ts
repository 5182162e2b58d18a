/** A piece of a text that was kept, put in or taken out. */
export interface TextChange {
  readonly op: 'equal' | 'insert' | 'delete';
  readonly text: string;
}
