import { isAppError, type SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { found, numbersTo } from './found.ts';
import { aSearchEntry } from './samples.ts';

const MEBIBYTE = 1024 * 1024;

/** Like {@link found}; `undefined` if the search is refused because it takes too long. */
const foundUnlessRefused = async (index: SearchIndex, q: string): Promise<readonly string[] | undefined> => {
  try {
    return await found(index, q);
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return undefined;
    throw error;
  }
};

/** Tests a `SearchIndex` with texts of 1 MiB and more. It takes some seconds: call it from a slow test. */
export const describeLongSearchIndex = (name: string, open: Open<SearchIndex>): void =>
  describeWithTimeout(`${name}, a SearchIndex, with long texts`, 60_000, () => {
    const opened = openForEach(open);

    it('finds words at both ends of 1 MiB texts with few words, many words and non-Latin letters', async () => {
      const { subject: index } = opened();
      const texts = {
        lines: 'line of text\n'.repeat(MEBIBYTE / 13),
        numbers: numbersTo(150_000).join(' '),
        東京: '東京都庁舎'.repeat(MEBIBYTE / 15),
        word: 'x'.repeat(MEBIBYTE),
      };
      for (const [documentId, text] of Object.entries(texts)) {
        await index.put(aSearchEntry({ documentId, title: '', text: `alpha ${text} omega` }));
      }
      expect(await found(index, 'alpha omega')).to.have.members(Object.keys(texts));
      expect(await found(index, '"alpha line of" "text omega" omega -4711')).to.deep.equal(['lines']);
      expect(await found(index, '4711 "100000 100001" 10000*')).to.deep.equal(['numbers']);
      expect(await found(index, '京都庁舎東 "omega"')).to.deep.equal(['東京']);
      expect(await found(index, `"alpha ${'x'.repeat(64)}" "xx"*`)).to.deep.equal(['word']);
      await index.remove('lines');
      expect(await found(index, '"line of text"')).to.deep.equal([]);
    });

    for (const [word, other, between] of [
      ['word', 'other', ' '],
      ['東', '京', ''],
    ] as const) {
      it(`finds a long phrase that repeats “${word}” in a text that repeats it, or refuses the search`, async () => {
        const { subject: index } = opened();
        const run = (count: number): string => Array.from({ length: count }, () => word).join(between);
        await index.put(aSearchEntry({ documentId: 'long', title: 'alpha', text: run(300_000) }));
        await index.put(
          aSearchEntry({
            documentId: 'almost',
            title: 'alpha',
            text: Array.from({ length: 3000 }, () => run(99)).join(` ${other} `),
          }),
        );
        await index.put(aSearchEntry({ documentId: 'short', title: 'alpha', text: `${run(100)} ${other}` }));
        const phrase = run(100);
        const miss = `${run(100)}${between}${other}`;
        for (const [q, ids] of [
          [`"${phrase}"`, ['long', 'short']],
          [`"${phrase}"*`, ['long', 'short']],
          [`"${miss}"`, ['short']],
          [`"${other}${between}${phrase}"`, []],
          [`alpha -"${phrase}"`, ['almost']],
          [`alpha -"${miss}"`, ['long', 'almost']],
        ] as const) {
          expect((await foundUnlessRefused(index, q)) ?? ids, q).to.have.members([...ids]);
        }
        // A short query is never refused, also after a refused one.
        expect(await found(index, `"${word} ${other} ${word}"`)).to.deep.equal(['almost']);
        expect(await found(index, `"${word} ${word} ${word}"`)).to.have.members(['long', 'almost', 'short']);
      });
    }
  });
