import { parseSearchQuery, type SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { at, MANY, strangeTexts, unknownIds } from '../kit/samples.ts';
import { searchFaultCases } from './faults.ts';
import { putMany, raceVersions } from './concurrent-writes.ts';
import { EVERYTHING, found, numbersTo } from './found.ts';
import { describeSearchIndexIsolation } from './isolation.ts';
import { describeSearchIndexMatching } from './matching.ts';
import { describeSearchIndexOrder } from './order.ts';
import { describeSearchIndexParts } from './parts.ts';
import { describeSearchIndexScan } from './scan.ts';
import { aSearchEntry } from './samples.ts';
import { describeSearchIndexVersions } from './versions.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeFaults } from '../kit/fault-cases.ts';

/** Tests the promises of every `SearchIndex`. */
export const describeSearchIndex = (name: string, open: Open<SearchIndex>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a SearchIndex`, 60_000, () => {
    const opened = openForEach(open);

    it('finds nothing for unknown documents and owners', async () => {
      const { subject: index } = opened();
      await index.put(aSearchEntry({ documentId: 'document-1', ownerId: 'owner-1' }));
      for (const id of [...unknownIds, 'document-', 'document-11', 'DOCUMENT-1']) {
        expect(await index.versionOf(id), id).to.equal(undefined);
      }
      for (const id of [...unknownIds, 'owner-', 'owner-11', 'OWNER-1']) {
        expect(await index.search(id, EVERYTHING, { limit: 50, offset: 0 }), id).to.deep.equal({ items: [], total: 0 });
      }
    });

    describeSearchIndexVersions(opened);

    it('orders by the receipt time that was stored last', async () => {
      const { subject: index } = opened();
      for (const [i, documentId] of ['a', 'b'].entries())
        await index.put(aSearchEntry({ documentId, receivedAt: at(i) }));
      expect(await found(index, 'letter')).to.deep.equal(['b', 'a']);
      await index.put(aSearchEntry({ documentId: 'a', receivedAt: at(2) }));
      expect(await found(index, 'letter')).to.deep.equal(['a', 'b']);
    });

    it('moves an entry to another owner when it is stored with that owner', async () => {
      const { subject: index } = opened();
      await index.put(aSearchEntry({ documentId: 'document-1' }));
      await index.put(aSearchEntry({ documentId: 'document-1', ownerId: 'owner-2' }));
      expect(await found(index, '')).to.deep.equal([]);
      expect(await found(index, 'letter')).to.deep.equal([]);
      expect((await index.search('owner-2', parseSearchQuery('letter'), { limit: 1, offset: 0 })).items).to.deep.equal([
        'document-1',
      ]);
    });

    it('removes only the entry of the given document, also if it is removed twice', async () => {
      const { subject: index } = opened();
      for (const documentId of ['document-1', 'document-2', 'document-11'])
        await index.put(aSearchEntry({ documentId, text: `text of ${documentId}` }));
      for (const id of [...unknownIds, 'document-1', 'document-1', 'DOCUMENT-2']) await index.remove(id);
      expect(await index.versionOf('document-1')).to.equal(undefined);
      for (const q of ['', 'letter', 'text', 't*', '-document'])
        expect((await found(index, q)).includes('document-1'), q).to.equal(false);
      expect(await found(index, 'letter "text of"')).to.have.members(['document-2', 'document-11']);
      expect((await index.search('owner-1', EVERYTHING, { limit: 1, offset: 0 })).total).to.equal(2);
    });

    it('stores entries under any document id and owner id', async () => {
      const { subject: index } = opened();
      for (const [i, id] of strangeTexts.entries())
        await index.put(aSearchEntry({ documentId: id, ownerId: id, version: i }));
      for (const [i, id] of strangeTexts.entries()) {
        expect(await index.versionOf(id)).to.equal(i);
        const page = await index.search(id, parseSearchQuery('letter'), { limit: 50, offset: 0 });
        expect(page).to.deep.equal({ items: [id], total: 1 });
      }
      for (const id of strangeTexts) await index.remove(id);
      for (const id of strangeTexts) {
        expect(await index.search(id, EVERYTHING, { limit: 50, offset: 0 })).to.deep.equal({ items: [], total: 0 });
      }
    });

    it('is not affected when the caller changes the stored objects', async () => {
      const { subject: index } = opened();
      const entry = aSearchEntry({ documentId: 'document-1' });
      const put = index.put(entry);
      modifyDeeply(entry);
      await put;
      modifyDeeply(await index.search('owner-1', EVERYTHING, { limit: 50, offset: 0 }));
      expect(await found(index, 'letter friend')).to.deep.equal(['document-1']);
      expect(await index.versionOf('document-1')).to.equal(1);
    });

    it('keeps the highest of many versions that are stored concurrently', async () => {
      const { subject: index } = opened();
      await raceVersions([index, index]);
    });

    it('stores every one of many concurrent entries, also of new owners', async () => {
      const { subject: index } = opened();
      await putMany([index, index]);
      const owners = numbersTo(30).map((i) => `new-owner-${i}`);
      await Promise.all(
        [...owners, ...owners].map((ownerId, i) => index.put(aSearchEntry({ documentId: `${ownerId} ${i}`, ownerId }))),
      );
      for (const [i, ownerId] of owners.entries()) {
        const { items } = await index.search(ownerId, parseSearchQuery('letter'), { limit: 50, offset: 0 });
        expect(items).to.have.members([`${ownerId} ${i}`, `${ownerId} ${i + owners.length}`]);
      }
    });

    it('counts every one of many matches', async () => {
      const { subject: index } = opened();
      const ids = numbersTo(MANY).map((i) => `many-${i}`);
      await Promise.all(ids.map((documentId) => index.put(aSearchEntry({ documentId }))));
      for (const q of ['', 'letter', 'let*', '-absent']) {
        const { items, total } = await index.search('owner-1', parseSearchQuery(q), { limit: 200, offset: 0 });
        expect([items.length, total], q).to.deep.equal([MANY, MANY]);
      }
    });

    describeSearchIndexMatching(opened);
    describeSearchIndexOrder(opened);
    describeSearchIndexIsolation(opened);
    describeSearchIndexScan(opened);
    describeSearchIndexParts(opened);

    describeWith('openSecond', opened, without, (second) => {
      it('sees the changes of the first handle at once', async () => {
        const [here, there] = [opened().subject, await second()];
        await here.put(aSearchEntry({ documentId: 'document-1', text: 'first' }));
        expect(await found(there, 'first')).to.deep.equal(['document-1']);
        await there.put(aSearchEntry({ documentId: 'document-1', version: 2, text: 'second' }));
        expect(await found(here, 'first')).to.deep.equal([]);
        expect(await found(here, 'second')).to.deep.equal(['document-1']);
        await here.put(aSearchEntry({ documentId: 'document-1', text: 'first' }));
        expect(await there.versionOf('document-1')).to.equal(2);
        await there.remove('document-1');
        expect(await here.versionOf('document-1')).to.equal(undefined);
        expect(await found(here, '')).to.deep.equal([]);
        await here.put(aSearchEntry({ documentId: 'document-2' }));
        expect(await there.scan(undefined, 10)).to.deep.equal(['document-2']);
      });

      it('keeps the highest version and every document if both handles write concurrently', async () => {
        const handles = [opened().subject, await second()] as const;
        await raceVersions(handles);
        await putMany(handles);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('still has every entry and accepts new ones', async () => {
        const { subject: index } = opened();
        for (const i of numbersTo(3))
          await index.put(
            aSearchEntry({ documentId: `document-${i}`, receivedAt: at(i), version: i, text: `text ${i}` }),
          );
        await index.remove('document-2');
        const again = await reopen();
        expect(await found(again, 'text')).to.deep.equal(['document-3', 'document-1']);
        expect(await again.versionOf('document-3')).to.equal(3);
        expect(await again.scan(undefined, 10)).to.deep.equal(['document-1', 'document-3']);
        await again.put(aSearchEntry({ documentId: 'document-3', version: 2, text: 'late' }));
        await again.put(aSearchEntry({ documentId: 'document-2', text: 'new text' }));
        expect(await found(again, 'late')).to.deep.equal([]);
        expect(await found(again, '"new text"')).to.deep.equal(['document-2']);
      });
    });

    describeFaults(opened, without, (subject) => subject, searchFaultCases);
  });
