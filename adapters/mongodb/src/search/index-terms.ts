import type { SearchTerm } from '@palimpsest/core';

// A text index of MongoDB splits and folds its input by its own rules. It leaves words of these characters unchanged.
const PLAIN = /^[0-9a-y]$/;
const ESCAPE = 'z';
const DIGITS = 4; // in base 36: enough for every code point, and the first digit is never `z`
const WORD_CHARACTERS = 16; // the search checks the words of each entry that the index finds
const PREFIX_CHARACTERS = 3;

const encode = (character: string): string => {
  if (PLAIN.test(character)) return character;
  if (character === ESCAPE) return ESCAPE + ESCAPE;
  return ESCAPE + (character.codePointAt(0) ?? 0).toString(36).padStart(DIGITS, '0');
};

const encoded = (characters: readonly string[]): string => characters.map(encode).join('');

/** The index term of a token. Tokens with the same first 16 characters have the same term. */
export const wordTerm = (token: string): string => `w${encoded([...token].slice(0, WORD_CHARACTERS))}`;

/** The index term of the first three characters of a token; `undefined` for a shorter token. */
export const prefixTerm = (token: string): string | undefined => {
  const characters = [...token].slice(0, PREFIX_CHARACTERS);
  return characters.length < PREFIX_CHARACTERS ? undefined : `b${encoded(characters)}`;
};

/** All index terms of a token. */
export const termsOfToken = (token: string): readonly string[] => {
  const prefix = prefixTerm(token);
  return prefix === undefined ? [wordTerm(token)] : [wordTerm(token), prefix];
};

/** The index terms of every text in which `term` occurs; none for a prefix of one or two characters. */
export const termsToFind = ({ tokens, isPrefix }: SearchTerm): readonly string[] => {
  const words = (isPrefix ? tokens.slice(0, -1) : tokens).map(wordTerm);
  const prefix = isPrefix ? prefixTerm(tokens.at(-1) ?? '') : undefined;
  return prefix === undefined ? words : [...words, prefix];
};

/** The index term of the first token of `term`; `undefined` for a prefix of one or two characters. */
export const firstTermToFind = ({ tokens, isPrefix }: SearchTerm): string | undefined => {
  const [first = ''] = tokens;
  return isPrefix && tokens.length === 1 ? prefixTerm(first) : wordTerm(first);
};
