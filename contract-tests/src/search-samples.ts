import { matches, searchTokens, type SearchEntry, type SearchQuery } from '@palimpsest/core';
import { at, sampleId } from './samples.ts';

/** What can be searched of a document of its own, which was received at `at(0)`. */
export const aSearchEntry = (given: Partial<SearchEntry> = {}): SearchEntry => ({
  documentId: sampleId(),
  ownerId: 'owner-1',
  receivedAt: at(0),
  version: 1,
  title: 'A letter',
  filename: 'letter.pdf',
  text: 'Dear friend',
  ...given,
});

/** The ids of those entries that a search of the owner must find, sorted: as the core says what matches. */
export const idsThatMatch = (entries: Iterable<SearchEntry>, ownerId: string, query: SearchQuery): readonly string[] =>
  [...entries]
    .filter((entry) => entry.ownerId === ownerId)
    .filter(({ title, filename, text }) => matches(query, [title, filename, text].map(searchTokens)))
    .map(({ documentId }) => documentId)
    .sort();

/** What people who test the borders type into a search box, and languages of queries that search engines have. */
export const hostileQueries: readonly string[] = [
  ['"', 'hello"', '"hello', '""', '"""hello"""', '-"', '"" hello', "'", "hello'", '`', '\\', '\\"hello\\"', '(', ')', '()', '(hello'],
  ['NEAR(', 'NEAR(hello world)', 'NEAR("hello" "world", 2)', 'hello NEAR/2 world', 'hello AND', 'AND', 'hello AND world'],
  ['hello OR secret', 'OR', 'NOT', 'hello NOT world', 'NOT hello', 'hello MATCH world', 'hello LIKE world', 'hello UNION SELECT'],
  ['-hello', '--hello', '- hello', '-', '-*', '+hello', '+hello -world', 'hello-world', '^hello', '^"hello"', 'hello^2', 'hello~', '!hello'],
  ['*', '**', 'he*', '*hello', 'h*llo', 'hel?o', '"hel"*', '"hello wor"*', '-he*', 'he**', '* *', '%', '_', '%hello%', 'h_llo', 'hel%'],
  ['owner:owner-2', 'owner_id:owner-2', 'owner:*', 'title:hello', 'title : hello', '{title}: hello', '{title text} : hello', '- {title} : hello'],
  ['rank:hello', 'rowid:1', 'rank MATCH bm25', 'text:', ':hello', 'a:b:c', '1=1', '1 OR 1=1', 'documentId:1', 'version:[0 TO *]'],
  ["' OR '1'='1", "'; DROP TABLE search_entries; --", "hello'); DELETE FROM search_words; --", 'hello; SELECT 1', '/* hello */', '-- hello'],
  ['(a+)+$', '.*.*.*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '/hello/i', '[a-z]+', '{"$gt":""}', '[$ne]', '$where', '{"$regex":"hello"}', '$text'],
  ['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true', '0', '-0', '1e3', '{{7*7}}', '${7*7}', '<b>hello</b>', '&quot;hello&quot;'],
  ['', ' ', '\t\n', '\0', 'hel\0lo', 'hello\0', '\0hello', '\ud800', 'hello\udfff', '\ud83d hello', '\ufeffhello', 'hel\u00adlo', 'hello\u200bworld'],
  ['“hello world”', '«hello»', '„hello“', '＂hello＂', '－hello', 'hello＊', 'ｈｅｌｌｏ', 'ħello', 'h\u0301\u0301\u0301ello', '\u202ehello', '👩‍👩‍👧', '½'],
  ['1_hello', '00001_hello', '1·hello', '1:hello', '1 hello', 'owner-2 hello', 'owner-2_hello', '\u0001hello', 'a\u001fhello', '_hello', '·hello'],
  ['"'.repeat(500), '('.repeat(500), '-'.repeat(500), '*'.repeat(500), 'hello* '.repeat(80), '-world '.repeat(80), 'x'.repeat(10_240), 'he llo '.repeat(2000)],
].flat();
