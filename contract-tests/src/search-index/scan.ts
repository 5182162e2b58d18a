import type { SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at, idsInOrder, sampleId } from '../kit/samples.ts';
import { aSearchEntry } from './samples.ts';

/** The numbers 0 to `count - 1` in a mixed order. */
const shuffled = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => (i * 7 + 3) % count);

/** Scans all ids, `limit` at a time. Throws if an id is returned twice. */
const scanAll = async (index: SearchIndex, limit: number): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (let after: string | undefined; ; after = seen.at(-1)) {
    const batch = await index.scan(after, limit);
    if (batch.length === 0) return seen;
    expect(batch.length, `at most ${limit}`).to.be.at.most(limit);
    for (const id of batch) expect(seen, 'each id once').to.not.include(id);
    seen.push(...batch);
  }
};

/** Tests the scan of all entries. */
export const describeSearchIndexScan = (opened: () => Opened<SearchIndex>): void =>
  void describe('scan', () => {
    it('returns the ids of all owners once in ascending order, for every limit', async () => {
      const { subject: index } = opened();
      expect(await index.scan(undefined, 10)).to.deep.equal([]);
      expect(await index.scan(sampleId(1), 10)).to.deep.equal([]);
      for (const i of shuffled(30)) {
        const entry = aSearchEntry({
          documentId: sampleId(i),
          ownerId: `owner-${i % 3}`,
          receivedAt: at(-i),
          version: i % 4,
        });
        await index.put(i % 5 === 0 ? { ...entry, title: '', filename: '', text: '' } : entry);
        if (i % 4 === 1) await index.put({ ...entry, version: 9, ownerId: 'owner-9' });
      }
      const inOrder = Array.from({ length: 30 }, (_, i) => sampleId(i));
      for (const limit of [1, 3, 29, 30, 31, 1000])
        expect(await scanAll(index, limit), `${limit} at a time`).to.deep.equal(inOrder);
      for (const limit of [1, 29, 30, 31])
        expect(await index.scan(undefined, limit)).to.deep.equal(inOrder.slice(0, limit));
    });

    it('continues after an id without an entry', async () => {
      const { subject: index } = opened();
      for (const i of [5, 1, 3]) await index.put(aSearchEntry({ documentId: sampleId(i) }));
      await index.remove(sampleId(3));
      expect(await index.scan(undefined, 10)).to.deep.equal([sampleId(1), sampleId(5)]);
      for (const after of [1, 2, 3, 4])
        expect(await index.scan(sampleId(after), 10), `after ${after}`).to.deep.equal([sampleId(5)]);
      for (const after of [5, 6]) expect(await index.scan(sampleId(after), 10), `after ${after}`).to.deep.equal([]);
      await index.put(aSearchEntry({ documentId: sampleId(3) }));
      expect(await index.scan(sampleId(1), 10)).to.deep.equal([sampleId(3), sampleId(5)]);
      for (const i of [1, 3, 5]) await index.remove(sampleId(i));
      expect(await index.scan(undefined, 10)).to.deep.equal([]);
    });

    it('orders ids by their characters, not as numbers or words', async () => {
      const { subject: index } = opened();
      for (const i of [6, 0, 3, 1, 5, 4, 2]) await index.put(aSearchEntry({ documentId: idsInOrder[i] ?? '' }));
      for (const limit of [1, 2, 10]) expect(await scanAll(index, limit)).to.deep.equal(idsInOrder);
    });

    it('returns every remaining entry while other entries are added and removed', async () => {
      const { subject: index } = opened();
      for (let i = 0; i < 20; i++) await index.put(aSearchEntry({ documentId: sampleId(2 * i) }));
      const seen: string[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const batch = await index.scan(after, 3);
        if (batch.length === 0) break;
        seen.push(...batch);
        expect(seen.length, 'each id once').to.be.at.most(20);
        for (const id of batch) await index.remove(id);
        await index.put(aSearchEntry({ documentId: sampleId(2 * seen.length - 3) }));
      }
      expect(seen).to.deep.equal(Array.from({ length: 20 }, (_, i) => sampleId(2 * i)));
    });
  });
