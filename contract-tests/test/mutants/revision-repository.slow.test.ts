import { AppError } from '@palimpsest/core';
import { MemoryRevisionRepository } from '@palimpsest/memory';
import { describeRevisionRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants('RevisionRepository', describeRevisionRepository, (store) => new MemoryRevisionRepository(store), {
  'counts revision numbers over all documents': (_original, { revisions }) => ({
    append: async (documentId, { revisedAt, text }) => {
      const next = { number: [...revisions.values()].flat().length + 1, revisedAt, text };
      revisions.set(documentId, [...(revisions.get(documentId) ?? []), next]);
      return next;
    },
  }),
  'reads the newest number and stores later, not atomically': (original, { revisions }) => ({
    append: async (documentId, { revisedAt, text }, expectedNewest) => {
      const newest = (await original.newest(documentId))?.number ?? 0;
      if (expectedNewest !== undefined && expectedNewest !== newest)
        throw new AppError('REVISION_CONFLICT', 'Conflict.');
      await nextTurn();
      const next = { number: newest + 1, revisedAt, text };
      revisions.set(documentId, [...(revisions.get(documentId) ?? []), next]);
      return next;
    },
  }),
  'never reports a conflict': (original) => ({
    append: (documentId, revision) => original.append(documentId, revision),
  }),
  'ignores an expected newest number of 0': (original) => ({
    append: (documentId, revision, expected) => original.append(documentId, revision, expected || undefined),
  }),
  'stores whole milliseconds only': (original) => ({
    append: (documentId, revision, expected) =>
      original.append(documentId, { ...revision, revisedAt: wholeMs(revision.revisedAt) }, expected),
  }),
  'stores texts in Unicode normal form': (original) => ({
    append: (documentId, revision, expected) =>
      original.append(documentId, { ...revision, text: revision.text.normalize() }, expected),
  }),
  'cuts texts at 65,535 characters': (original) => ({
    append: (documentId, revision, expected) =>
      original.append(documentId, { ...revision, text: revision.text.slice(0, 65_535) }, expected),
  }),
  'sorts revision numbers as text': (original) => ({
    list: async (documentId) =>
      (await original.list(documentId)).toSorted((a, b) => (String(a.number) < String(b.number) ? 1 : -1)),
  }),
  'lists at most 100 revisions': (original) => ({
    list: async (documentId) => (await original.list(documentId)).slice(0, 100),
  }),
  'finds the newest revision for an absent number': (original) => ({
    find: async (documentId, number) =>
      (await original.find(documentId, number)) ?? (await original.newest(documentId)),
  }),
  'compares document ids without regard to case': (_original, { revisions }) => {
    foldKeys(revisions);
    return {};
  },
  'removes the revisions of every document': (_original, { revisions }) => ({
    removeAll: async () => revisions.clear(),
  }),
});
