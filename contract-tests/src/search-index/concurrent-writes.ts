import type { SearchEntry, SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import { found, numbersTo } from './found.ts';
import { aSearchEntry } from './samples.ts';

const VERSIONS = 20;

/** Stores all versions of two documents concurrently and expects only the words of the highest versions. */
export const raceVersions = async (handles: readonly [SearchIndex, SearchIndex]) => {
  for (const [documentId, versions] of [
    ['rising', numbersTo(VERSIONS)],
    ['falling', numbersTo(VERSIONS).toReversed()],
  ] as const) {
    const entryOf = (version: number): SearchEntry =>
      // Lower versions have longer texts, so that the highest version is ready first.
      aSearchEntry({
        documentId,
        version,
        title: `${documentId}${version}`,
        text: 'filling '.repeat(500 * (VERSIONS - version)),
      });
    await Promise.all(
      versions.map(async (version) => (version % 2 === 0 ? handles[0] : handles[1]).put(entryOf(version))),
    );
    for (const index of handles) {
      expect(await index.versionOf(documentId)).to.equal(VERSIONS);
      for (const version of versions) {
        expect(await found(index, `${documentId}${version}`), `version ${version}`).to.deep.equal(
          version === VERSIONS ? [documentId] : [],
        );
      }
    }
  }
};

/** Stores many documents concurrently and expects every one to be found. */
export const putMany = async (handles: readonly [SearchIndex, SearchIndex]) => {
  const ids = numbersTo(100).map((i) => `many-${i}`);
  await Promise.all(
    ids.map(async (documentId, i) =>
      (i % 2 === 0 ? handles[0] : handles[1]).put(aSearchEntry({ documentId, text: `plenty number${i}` })),
    ),
  );
  for (const index of handles) {
    expect(await found(index, 'plenty')).to.have.members(ids);
    expect(await found(index, 'number50')).to.deep.equal(['many-51']);
  }
};
