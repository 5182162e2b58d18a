import type { SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at } from '../kit/samples.ts';
import { EVERYTHING, found } from './found.ts';
import { aSearchEntry } from './samples.ts';

/** Tests how an entry replaces an entry with another version. */
export const describeSearchIndexVersions = (opened: () => Opened<SearchIndex>): void => {
  it('returns the version of each entry', async () => {
    const { subject: index } = opened();
    const versions = [0, 1, 2, 11, 123_456];
    for (const version of versions) await index.put(aSearchEntry({ documentId: `document-${version}`, version }));
    for (const version of versions) expect(await index.versionOf(`document-${version}`)).to.equal(version);
  });

  it('replaces the whole entry by one with the same or a higher version', async () => {
    const { subject: index } = opened();
    const old = aSearchEntry({
      documentId: 'document-1',
      version: 1,
      title: 'oldtitle',
      filename: 'oldname.pdf',
      text: 'oldtext',
    });
    for (const version of [1, 2, 2, 10]) {
      const word = `version${version}`;
      await index.put({ ...old, version: version === 1 ? 0 : version - 1 });
      await index.put({
        ...old,
        receivedAt: at(version),
        version,
        title: `${word} t`,
        filename: `${word}.png`,
        text: `${word} x`,
      });
      expect(await index.versionOf('document-1')).to.equal(version);
      for (const q of ['oldtitle', 'oldname', 'oldtext', 'old*', 'pdf'])
        expect(await found(index, q), q).to.deep.equal([]);
      for (const q of ['', word, `"${word} t"`, `"${word} png"`, `"${word} x"`, '-oldtext'])
        expect(await found(index, q), q).to.deep.equal(['document-1']);
      expect((await index.search('owner-1', EVERYTHING, { limit: 1, offset: 0 })).total).to.equal(1);
      await index.remove('document-1');
    }
  });

  it('ignores an entry with a lower version than the stored one', async () => {
    const { subject: index } = opened();
    const stored = aSearchEntry({ documentId: 'document-1', version: 10, text: 'stored' });
    await index.put(stored);
    for (const version of [9, 2, 0])
      await index.put({ ...stored, version, receivedAt: at(9), title: 'late', text: 'late' });
    await index.put({ ...stored, version: 9, ownerId: 'owner-2' });
    expect(await index.versionOf('document-1')).to.equal(10);
    expect(await found(index, 'late')).to.deep.equal([]);
    expect(await found(index, 'stored letter')).to.deep.equal(['document-1']);
    expect((await index.search('owner-2', EVERYTHING, { limit: 1, offset: 0 })).total).to.equal(0);
  });

  it('accepts any version of a document after its removal, and does not find its old words', async () => {
    const { subject: index } = opened();
    await index.put(aSearchEntry({ documentId: 'document-1', version: 5, text: 'five' }));
    await index.put(aSearchEntry({ documentId: 'document-2', text: 'two' }));
    await index.remove('document-1');
    await index.put(aSearchEntry({ documentId: 'document-1', version: 0, text: 'nought' }));
    expect(await index.versionOf('document-1')).to.equal(0);
    expect(await found(index, 'five')).to.deep.equal([]);
    expect(await found(index, 'nought')).to.deep.equal(['document-1']);
    await index.remove('document-2');
    await index.put(aSearchEntry({ documentId: 'document-3', text: 'three' }));
    expect(await found(index, 'two')).to.deep.equal([]);
    expect(await found(index, 'three')).to.deep.equal(['document-3']);
  });
};
