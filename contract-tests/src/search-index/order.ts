import { parseSearchQuery, type SearchEntry, type SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at, idsInOrder, sampleId } from '../kit/samples.ts';
import { numbersTo } from './found.ts';
import { aSearchEntry } from './samples.ts';

/** A text of 100 words that contains `words` `times` times. */
const filled = (words: string, times: number): string =>
  numbersTo(100)
    .map((i) => (i % 10 === 0 && i <= times * 10 ? words : `other${i}`))
    .join(' ');

/** Tests the order of the matches. */
export const describeSearchIndexOrder = (opened: () => Opened<SearchIndex>): void =>
  void describe('the order of the matches', () => {
    const put = async (...entries: readonly SearchEntry[]): Promise<void> => {
      for (const entry of entries) await opened().subject.put(entry);
    };
    const found = async (q: string, page = { limit: 200, offset: 0 }): Promise<readonly string[]> =>
      (await opened().subject.search('owner-1', parseSearchQuery(q), page)).items;

    for (const [kind, words, q] of [
      ['a word', 'invoice', 'invoice'],
      ['a phrase', 'open invoice', '"open invoice"'],
      ['a prefix', 'invoiced', 'invo*'],
      ['a word of a script without spaces', '請求書', '請求書'],
    ] as const) {
      it(`ranks ${kind} in a title before one in a file name, and that before one in a text`, async () => {
        const rest = { title: 'one', filename: 'two', text: filled('three', 1) };
        // The entries that must come first are the oldest ones, so that their age cannot help them.
        await put(
          aSearchEntry({ ...rest, documentId: 'title', title: words, receivedAt: at(1) }),
          aSearchEntry({ ...rest, documentId: 'filename', filename: words, receivedAt: at(2) }),
          aSearchEntry({ ...rest, documentId: 'text', text: filled(words, 1), receivedAt: at(3) }),
        );
        expect(await found(q)).to.deep.equal(['title', 'filename', 'text']);
        expect(await found(`${q} -absent`)).to.deep.equal(['title', 'filename', 'text']);
      });

      it(`ranks the text with more occurrences of ${kind} first, among texts of similar length`, async () => {
        const times = [1, 2, 3, 4, 5, 9];
        await put(
          ...times.map((count) =>
            aSearchEntry({ documentId: `${count} times`, text: filled(words, count), receivedAt: at(-count) }),
          ),
        );
        expect(await found(q)).to.deep.equal(times.toReversed().map((count) => `${count} times`));
      });
    }

    it('counts the occurrences of every term', async () => {
      await put(
        aSearchEntry({ documentId: 'both', title: 'red green', text: 'x', receivedAt: at(1) }),
        aSearchEntry({ documentId: 'one', title: 'red', text: 'green', receivedAt: at(2) }),
        aSearchEntry({ documentId: 'none', title: '', text: 'red green', receivedAt: at(3) }),
      );
      expect(await found('red green')).to.deep.equal(['both', 'one', 'none']);
      expect(await found('green red')).to.deep.equal(['both', 'one', 'none']);
    });

    it('ranks equally good matches by receipt time and then by id, both descending', async () => {
      const entries = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3].map((second, i) =>
        aSearchEntry({ documentId: sampleId((i * 7) % 10), receivedAt: at(second), text: filled('invoice', 2) }),
      );
      await put(...entries);
      const expected = entries
        .toSorted((a, b) => b.receivedAt - a.receivedAt || (a.documentId < b.documentId ? 1 : -1))
        .map(({ documentId }) => documentId);
      for (const q of ['invoice', 'letter', 'invoice letter other1', '"a letter"', '', '-absent', 'inv* -absent'])
        expect(await found(q), q).to.deep.equal(expected);
    });

    it('orders ids by their characters, not as numbers or words', async () => {
      for (const i of [6, 0, 3, 1, 4, 2, 5]) await put(aSearchEntry({ documentId: idsInOrder[i] ?? '' }));
      for (const q of ['letter', '', '-absent']) expect(await found(q), q).to.deep.equal(idsInOrder.toReversed());
    });

    it('distinguishes receipt times by microseconds', async () => {
      await put(...[1, 3, 2].map((micros) => aSearchEntry({ documentId: `${micros}`, receivedAt: at(0) + micros })));
      expect(await found('letter')).to.deep.equal(['3', '2', '1']);
    });

    it('orders matches of exclusions and of empty queries by receipt time only', async () => {
      await put(
        aSearchEntry({ documentId: 'old', title: 'red', receivedAt: at(1) }),
        aSearchEntry({ documentId: 'new', title: 'blue', receivedAt: at(2) }),
        aSearchEntry({ documentId: 'between', title: 'red', text: 'red red', receivedAt: at(1) + 1 }),
      );
      expect(await found('')).to.deep.equal(['new', 'between', 'old']);
      expect(await found('-absent')).to.deep.equal(['new', 'between', 'old']);
      expect(await found('-blue')).to.deep.equal(['between', 'old']);
    });

    it('does not depend on the documents of other owners', async () => {
      const texts = [1, 2, 3, 4].flatMap((times) =>
        [10, 40, 160, 640].map(
          (length) => `${'red '.repeat(times)}${'green '.repeat(5 - times)}${'x '.repeat(length)}`,
        ),
      );
      await put(
        ...texts.map((text, i) =>
          aSearchEntry({ documentId: sampleId(i), title: 'one', filename: 'two', text, receivedAt: at(i) }),
        ),
      );
      const queries = ['red', 'green', 'red green', 'green red x', 'r* -absent', '"green x"'];
      const before = await Promise.all(queries.map((q) => found(q)));
      const putOthers = (texts: readonly string[]) =>
        put(
          ...texts.map((text, i) =>
            aSearchEntry({ ownerId: `owner-${2 + (i % 3)}`, title: 'red', text, receivedAt: at(-i) }),
          ),
        );
      // The other documents make these texts longer or shorter than the average, and "red" common or rare.
      await putOthers(numbersTo(150).map((i) => `red ${i}`));
      expect(await Promise.all(queries.map((q) => found(q)))).to.deep.equal(before);
      await putOthers(numbersTo(20).map((i) => `x green ${i} `.repeat(5000)));
      expect(await Promise.all(queries.map((q) => found(q)))).to.deep.equal(before);
    });

    it('returns every page of the matches with the total number', async () => {
      const { subject: index } = opened();
      const ids = numbersTo(25).map((i) => sampleId(i));
      await put(
        ...ids.map((documentId, i) =>
          aSearchEntry({
            documentId,
            receivedAt: at(i),
            title: i < 5 ? 'invoice' : '',
            text: filled('invoice', 1 + (i % 3)),
          }),
        ),
      );
      await put(aSearchEntry({ ownerId: 'owner-2', title: 'invoice' }), aSearchEntry({ title: '', text: 'none' }));
      const all = await found('invoice');
      expect([...all].sort()).to.deep.equal(ids);
      for (const limit of [1, 4, 24, 25, 26, 200]) {
        for (const offset of [0, 1, 20, 24, 25, 26, 1_000_000]) {
          const page = await index.search('owner-1', parseSearchQuery('invoice'), { limit, offset });
          expect(page, `${limit} from ${offset}`).to.deep.equal({
            items: all.slice(offset, offset + limit),
            total: 25,
          });
        }
      }
    });
  });
