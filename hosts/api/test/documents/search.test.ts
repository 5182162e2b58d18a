import { expect } from 'chai';
import { aCompletedDocument, jsonOf, revise } from '../documents.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

interface Found {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly snippet: { readonly text: string; readonly highlights: readonly (readonly [number, number])[] };
  }[];
  readonly paging: { readonly limit: number; readonly offset: number; readonly total: number };
}

// Queries that are syntax errors or operators in FTS5, that make regular expressions slow, or that are operators in MongoDB
// or in SQL LIKE.
const hostile = [
  '"',
  'hello"',
  'NEAR(',
  'hello AND',
  '-hello',
  '(',
  ')',
  "'",
  '*',
  'owner:u2',
  'OR',
  'NOT',
  '^',
  '^hello',
  '{text}:',
  '{text title}: hello',
  'he*',
  'text:hello',
  'NEAR(a b, 5)',
  'a + b',
  'rowid:1',
  '"hello" OR "canary"',
  "'; DROP TABLE documents; --",
  '\\',
  '\\"',
  '""',
  '"" ""',
  '-"',
  '-*',
  '(a+)+$',
  '.*.*.*x',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'a'.repeat(500),
  '" '.repeat(250),
  '( '.repeat(250),
  'a '.repeat(250),
  '{"$gt":""}',
  '[$ne]',
  '$where',
  '%',
  '_',
  '%%',
  'h_llo',
  'hel%',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufffe',
  '\u202e',
  '👩‍👩‍👧',
  '\u0301',
  'İ',
  'ﬁ',
  '「東京」',
  '١٢٣',
];

describe('search over HTTP', () => {
  let service: TestService;
  let user: TestUser;
  let other: TestUser;
  const search = (q: string, rest = '', by = user): Promise<Response> =>
    by.fetch(`/v1/documents/search?q=${encodeURIComponent(q.toWellFormed())}${rest}`);
  const searched = async (q: string, rest = '', by = user): Promise<Found> => jsonOf<Found>(await search(q, rest, by));
  const titles = async (q: string, by = user): Promise<readonly string[]> =>
    (await searched(q, '', by)).items.map(({ title }) => title);

  before(async () => {
    service = await startService({ worker: true });
    [user, other] = [await service.signUp(), await service.signUp()];
    await aCompletedDocument(user, ['The harbour master wrote hello to the whole crew of the ship'], 'Harbour letter');
    await aCompletedDocument(user, ['An orchard of old apple trees, hello from the valley below'], 'Orchard');
    await aCompletedDocument(other, ['The canary sings hello in the mine, and no other bird hears it'], 'Canary');
  });
  after(() => service.close());

  it('returns exactly the documented fields, with a snippet and the positions of the matches', async () => {
    const { items, paging } = await searched('apple');
    expect(paging).to.deep.equal({ limit: 50, offset: 0, total: 1 });
    expect(items).to.have.length(1);
    const [item] = items;
    expect(Object.keys(item ?? {})).to.have.members([
      'id',
      'title',
      'status',
      'received_at',
      'processed_at',
      'snippet',
    ]);
    const { text, highlights } = item?.snippet ?? { text: '', highlights: [] };
    expect(highlights.map(([start, end]) => text.slice(start, end))).to.deep.equal(['apple']);
  });

  it('supports words, phrases, prefixes and exclusions and ignores case and diacritics', async () => {
    expect(await titles('HELLO valley')).to.deep.equal(['Orchard']);
    expect(await titles('"apple trees"')).to.deep.equal(['Orchard']);
    expect(await titles('"trees apple"')).to.deep.equal([]);
    expect(await titles('harb*')).to.deep.equal(['Harbour letter']);
    expect(await titles('hello -harbour')).to.deep.equal(['Orchard']);
    expect(await titles('hello -"old apple"')).to.deep.equal(['Harbour letter']);
    expect(await titles('hàrböûr')).to.deep.equal(['Harbour letter']);
    expect(await titles('scan')).to.have.length(2);
  });

  it('ranks a match in the title first', async () => {
    await aCompletedDocument(user, ['Nothing but the harbour, the harbour and the harbour again'], 'Notes');
    expect((await titles('harbour'))[0]).to.equal('Harbour letter');
  });

  it('finds the newest revision at once, and neither earlier texts nor deleted documents', async () => {
    const id = await aCompletedDocument(user, ['A cargo of quicksilver for the mill on the river'], 'Cargo');
    expect(await titles('quicksilver')).to.deep.equal(['Cargo']);
    await revise(user, id, 'A cargo of flour');
    expect([await titles('quicksilver'), await titles('cargo flour')]).to.deep.equal([[], ['Cargo']]);
    await revise(user, id, '');
    expect([await titles('flour'), await titles('cargo')]).to.deep.equal([[], ['Cargo']]);
    expect((await user.fetch(`/v1/documents/${id}`, { method: 'DELETE' })).status).to.equal(204);
    expect(await titles('cargo')).to.deep.equal([]);
  });

  it('finds only documents of the own account, also with queries for documents of other accounts', async () => {
    expect(await titles('canary', other)).to.deep.equal(['Canary']);
    for (const q of [
      'canary',
      'can*',
      '"the canary sings"',
      'hello canary',
      'owner:canary',
      'canary OR harbour',
      '-harbour -orchard -notes',
    ]) {
      expect(await titles(q), q).to.deep.equal([]);
    }
    const { paging } = await searched('hello');
    expect(paging.total).to.equal(2);
  });

  it('answers hostile queries with 200 or 400 and treats unknown operators as text', async () => {
    for (const q of hostile) {
      const response = await search(q);
      const shown = JSON.stringify(q).slice(0, 40);
      if (response.status !== 200) {
        expect(await refusal(response), shown).to.include({ status: 400, code: 'VALIDATION_ERROR' });
        continue;
      }
      expect(JSON.stringify(await response.json()), shown).not.to.match(/canary sings/);
    }
    expect(await titles('harbour OR orchard')).to.deep.equal([]);
    expect(await titles('hello AND valley')).to.deep.equal([]);
    expect(await titles('NOT hello')).to.deep.equal([]);
    expect(await titles('h_llo')).to.deep.equal([]);
    expect(await titles('hel%')).to.deep.equal([]);
  });

  it('refuses a missing, empty, too long or repeated query and invalid paging', async () => {
    for (const query of [
      '',
      '?q=',
      '?q=%20%09',
      `?q=${'x'.repeat(501)}`,
      '?q=a&q=b',
      '?q=a&limit=0',
      '?q=a&limit=x',
      '?q=a&offset=-1',
      '?q[$ne]=a',
    ]) {
      const answer = await refusal(await user.fetch(`/v1/documents/search${query}`));
      expect(answer, query).to.include({ status: 400, code: 'VALIDATION_ERROR' });
      expect(answer.message, query).to.match(/^(q|limit|offset): /);
    }
    expect((await search('x'.repeat(500))).status).to.equal(200);
  });

  it('answers 400 to a query of more than 32 words', async () => {
    const words = Array.from({ length: 33 }, (_, i) => `w${i}`);
    expect((await search(words.slice(1).join(' '))).status).to.equal(200);
    expect(await refusal(await search(words.join(' ')))).to.include({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('pages its results like lists', async () => {
    const { items, paging } = await searched('hello', '&limit=1&offset=1');
    expect([items.length, paging]).to.deep.equal([1, { limit: 1, offset: 1, total: 2 }]);
    expect((await searched('hello', '&limit=1000')).paging.limit).to.equal(200);
    expect((await searched('hello', '&offset=99')).items).to.deep.equal([]);
  });

  it('needs a token', async () => {
    expect(await refusal(await fetch(`${service.url}/v1/documents/search?q=a`))).to.include({ status: 401 });
  });
});
