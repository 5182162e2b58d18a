import { AppError } from '@palimpsest/core';
import { MemoryRevisionRepository } from '@palimpsest/memory';
import { describeRevisionRepository } from '../../src/revision-repository.contract.ts';
import { describeStoreMutants, foldCase, turn, wholeMs } from './mutant.ts';

describeStoreMutants('RevisionRepository', describeRevisionRepository, (store) => new MemoryRevisionRepository(store), {
  'stores nothing': () => ({ append: async (_documentId, revision) => ({ number: 1, ...revision }) }),
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
  'reports a conflict but stores the revision': (sound) => ({
    append: async (documentId, revision, expected) => {
      try {
        return await sound.append(documentId, revision, expected);
      } catch (error) {
        await sound.append(documentId, revision);
        throw error;
      }
    },
  }),
  'reports a conflict with an error of its own': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, revision, expected).catch(() => {
        throw new Error('duplicate key');
      }),
  }),
  'stores whole milliseconds only': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, revisedAt: wholeMs(revision.revisedAt) }, expected),
  }),
  'trims texts': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, text: revision.text.trim() }, expected),
  }),
  'stores texts in Unicode normal form': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, text: revision.text.normalize() }, expected),
  }),
  'cuts texts at 65,535 characters': (sound) => ({
    append: (documentId, revision, expected) =>
      sound.append(documentId, { ...revision, text: revision.text.slice(0, 65_535) }, expected),
  }),
  'skips a revision whose text is the newest one': (sound) => ({
    append: async (documentId, revision, expected) => {
      const newest = await sound.newest(documentId);
      return newest?.text === revision.text ? newest : await sound.append(documentId, revision, expected);
    },
  }),
  'lists the oldest revision first': (sound) => ({
    list: async (documentId) => (await sound.list(documentId)).toReversed(),
  }),
  'lists revisions by time instead of by number': (sound) => ({
    list: async (documentId) => (await sound.list(documentId)).toSorted((a, b) => b.revisedAt - a.revisedAt),
  }),
  'sorts revision numbers as text': (sound) => ({
    list: async (documentId) =>
      (await sound.list(documentId)).toSorted((a, b) => (String(a.number) < String(b.number) ? 1 : -1)),
  }),
  'lists at most 100 revisions': (sound) => ({
    list: async (documentId) => (await sound.list(documentId)).slice(0, 100),
  }),
  'gives the oldest revision as the newest': (sound) => ({ newest: (documentId) => sound.find(documentId, 1) }),
  'finds the newest revision for an absent number': (sound) => ({
    find: async (documentId, number) => (await sound.find(documentId, number)) ?? (await sound.newest(documentId)),
  }),
  'throws for a number that is not whole': (sound) => ({
    find: async (documentId, number) => {
      if (!Number.isInteger(number)) throw new TypeError('Not a whole number');
      return await sound.find(documentId, number);
    },
  }),
  'finds the revisions of another document': (_sound, { revisions }) => ({
    find: async (_documentId, number) => [...revisions.values()].flat().find((one) => one.number === number),
  }),
  'compares document ids without regard to case': (_sound, { revisions }) => {
    foldCase(revisions);
    return {};
  },
  'removes nothing': () => ({ removeAll: async () => {} }),
  'removes the revisions of every document': (_sound, { revisions }) => ({ removeAll: async () => revisions.clear() }),
  'returns the object that it stores': (_sound, { revisions }) => ({
    newest: async (documentId) => revisions.get(documentId)?.at(-1),
  }),
});
