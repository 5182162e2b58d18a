import { AppError } from '@palimpsest/core';
import { MemoryRevisionRepository } from '@palimpsest/memory';
import { describeRevisionRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, turn, wholeMs } from './mutant.ts';

describeStoreMutants('RevisionRepository', describeRevisionRepository, (store) => new MemoryRevisionRepository(store), {
  'counts revision numbers over all documents': (_sound, { revisions }) => ({
    append: async (documentId, { revisedAt, text }) => {
      const next = { number: [...revisions.values()].flat().length + 1, revisedAt, text };
      revisions.set(documentId, [...(revisions.get(documentId) ?? []), next]);
      return next;
    },
  }),
  'reads the newest number and stores later, not atomically': (sound, { revisions }) => ({
    append: async (documentId, { revisedAt, text }, expectedNewest) => {
      const newest = (await sound.newest(documentId))?.number ?? 0;
      if (expectedNewest !== undefined && expectedNewest !== newest)
        throw new AppError('REVISION_CONFLICT', 'Conflict.');
      await turn();
      const next = { number: newest + 1, revisedAt, text };
      revisions.set(documentId, [...(revisions.get(documentId) ?? []), next]);
      return next;
    },
  }),
  'never reports a conflict': (sound) => ({ append: (documentId, revision) => sound.append(documentId, revision) }),
  'ignores an expected newest number of 0': (sound) => ({
    append: (documentId, revision, expected) => sound.append(documentId, revision, expected || undefined),
  }),
  'stores whole milliseconds only': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, revisedAt: wholeMs(revision.revisedAt) }, expected),
  }),
  'stores texts in Unicode normal form': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, text: revision.text.normalize() }, expected),
  }),
  'cuts texts at 65,535 characters': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, text: revision.text.slice(0, 65_535) }, expected),
  }),
  'sorts revision numbers as text': (sound) => ({
    list: async (documentId) =>
      (await sound.list(documentId)).toSorted((a, b) => (String(a.number) < String(b.number) ? 1 : -1)),
  }),
  'lists at most 100 revisions': (sound) => ({
    list: async (documentId) => (await sound.list(documentId)).slice(0, 100),
  }),
  'finds the newest revision for an absent number': (sound) => ({
    find: async (documentId, number) => (await sound.find(documentId, number)) ?? (await sound.newest(documentId)),
  }),
  'compares document ids without regard to case': (_sound, { revisions }) => {
    foldKeys(revisions);
    return {};
  },
  'removes the revisions of every document': (_sound, { revisions }) => ({ removeAll: async () => revisions.clear() }),
});
