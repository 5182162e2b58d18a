import type { SearchTerm } from '@palimpsest/core';

// A text index of MongoDB parts and folds what it is given by rules of its own. What is made of these characters alone it
// leaves as it is.
const PLAIN = /^[0-9a-y]$/;
const ESCAPE = 'z';
const DIGITS = 4; // in base 36; enough for every code point, and the first is never `z`
const WORD_CHARACTERS = 16; // what is found by them is looked at
const BEGINNING_CHARACTERS = 3;

const encode = (character: string): string => {
  if (PLAIN.test(character)) return character;
  if (character === ESCAPE) return ESCAPE + ESCAPE;
  return ESCAPE + (character.codePointAt(0) ?? 0).toString(36).padStart(DIGITS, '0');
};

const encoded = (characters: readonly string[]): string => characters.map(encode).join('');

/** What a text index has for a token: the same for tokens that begin with the same 16 characters. */
export const wordTerm = (token: string): string => `w${encoded([...token].slice(0, WORD_CHARACTERS))}`;

/** What a text index has for the first three characters of a token; `undefined` if it has fewer. */
export const beginningTerm = (token: string): string | undefined => {
  const characters = [...token].slice(0, BEGINNING_CHARACTERS);
  return characters.length < BEGINNING_CHARACTERS ? undefined : `b${encoded(characters)}`;
};

/** All that a text index has for a token. */
export const termsOfToken = (token: string): readonly string[] => {
  const beginning = beginningTerm(token);
  return beginning === undefined ? [wordTerm(token)] : [wordTerm(token), beginning];
};

/** What a text index has for what `term` occurs in, each of it; nothing if that is for the shortest of prefixes. */
export const termsToFind = ({ tokens, isPrefix }: SearchTerm): readonly string[] => {
  const words = (isPrefix ? tokens.slice(0, -1) : tokens).map(wordTerm);
  const beginning = isPrefix ? beginningTerm(tokens.at(-1) ?? '') : undefined;
  return beginning === undefined ? words : [...words, beginning];
};

/** What a text index has for the first token of `term`; `undefined` if that is the shortest of prefixes. */
export const firstTermToFind = ({ tokens, isPrefix }: SearchTerm): string | undefined => {
  const [first = ''] = tokens;
  return isPrefix && tokens.length === 1 ? beginningTerm(first) : wordTerm(first);
};
