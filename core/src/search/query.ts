/** Tokens that follow each other: one word, a phrase, or what one word of a script without spaces falls into. */
export interface SearchTerm {
  readonly tokens: readonly string[]; // at least one
  readonly isPrefix: boolean; // the last token stands for every token that begins with it
}

/** What a document must have, and what it must not. */
export interface SearchQuery {
  readonly all: readonly SearchTerm[];
  readonly none: readonly SearchTerm[];
}
