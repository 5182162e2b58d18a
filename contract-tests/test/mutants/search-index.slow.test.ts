import { MemorySearchIndex } from '@palimpsest/memory';
import { describeSearchIndex } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants('SearchIndex', describeSearchIndex, (store) => new MemorySearchIndex(store), {
  'replaces an entry by one of a lower version': (original, { searchEntries }) => ({
    put: async (entry) => {
      searchEntries.delete(entry.documentId);
      await original.put(entry);
    },
  }),
  'compares versions as text': (original, { searchEntries }) => ({
    put: async (entry) => {
      const stored = searchEntries.get(entry.documentId);
      if (stored && String(stored.version) > String(entry.version)) return;
      searchEntries.delete(entry.documentId);
      await original.put(entry);
    },
  }),
  'reads the version and writes later, not atomically': (original, { searchEntries }) => ({
    put: async (given) => {
      const entry = { ...given };
      const version = searchEntries.get(entry.documentId)?.version ?? -1;
      if (version > entry.version) return;
      await nextTurn();
      if (entry.version % 2 === 0) await nextTurn();
      searchEntries.delete(entry.documentId);
      await original.put(entry);
    },
  }),
  'keeps the words of older versions': (original, { searchEntries }) => ({
    put: async (entry) => {
      const old = searchEntries.get(entry.documentId);
      await original.put(entry);
      const stored = searchEntries.get(entry.documentId);
      if (old && stored) searchEntries.set(entry.documentId, { ...stored, text: [...old.text, ...stored.text] });
    },
  }),
  'removes the old entry before it writes the new one': (original, { searchEntries }) => ({
    put: async (entry) => {
      const old = searchEntries.get(entry.documentId);
      if (old && old.version <= entry.version) {
        searchEntries.delete(entry.documentId);
        await nextTurn();
      }
      await original.put(entry);
    },
  }),
  'compares ids without regard to case': (_original, { searchEntries }) => {
    foldKeys(searchEntries);
    return {};
  },
  'finds the documents of all owners': (original, { searchEntries }) => ({
    search: async (_ownerId, query, page) => {
      const owners = new Set(searchEntries.values().map(({ ownerId }) => ownerId));
      const found = await Promise.all([...owners].map((owner) => original.search(owner, query, page)));
      return {
        items: found.flatMap(({ items }) => items),
        total: found.reduce((sum, { total }) => sum + total, 0),
      };
    },
  }),
  'does not search file names': (original) => ({ put: (entry) => original.put({ ...entry, filename: '' }) }),
  'finds a phrase across title and text': (original) => ({
    put: (entry) => original.put({ ...entry, text: `${entry.title} ${entry.text}` }),
  }),
  'finds documents with only one of several terms': (original) => ({
    search: async (ownerId, query, page) => {
      for (const term of query.all) {
        const found = await original.search(ownerId, { ...query, all: [term] }, page);
        if (found.total > 0) return found;
      }
      return await original.search(ownerId, query, page);
    },
  }),
  'finds the words of a phrase in any order': (original) => ({
    search: (ownerId, query, page) => {
      const apart = query.all.flatMap((term) =>
        term.tokens.map((token, i) => ({
          ...term,
          tokens: [token],
          isPrefix: term.isPrefix && i === term.tokens.length - 1,
        })),
      );
      return original.search(ownerId, { ...query, all: apart }, page);
    },
  }),
  'treats every word as a prefix': (original) => ({
    search: (ownerId, query, page) =>
      original.search(ownerId, { ...query, all: query.all.map((term) => ({ ...term, isPrefix: true })) }, page),
  }),
  'cuts texts at 65,535 characters': (original) => ({
    put: (entry) => original.put({ ...entry, text: entry.text.slice(0, 65_535) }),
  }),
  'sorts by time instead of by relevance': (original, { searchEntries }) => ({
    search: async (ownerId, query, { limit, offset }) => {
      const { items, total } = await original.search(ownerId, query, { limit: 10_000, offset: 0 });
      const receivedAt = (id: string): number => searchEntries.get(id)?.receivedAt ?? 0;
      return { items: items.toSorted((a, b) => receivedAt(b) - receivedAt(a)).slice(offset, offset + limit), total };
    },
  }),
  'ranks a file name above a title': (original) => ({
    put: (entry) => original.put({ ...entry, title: entry.filename, filename: entry.title }),
  }),
  'sorts by whole milliseconds': (original) => ({
    put: (entry) => original.put({ ...entry, receivedAt: wholeMs(entry.receivedAt) }),
  }),
  'returns the number of items on the page as the total': (original) => ({
    search: async (ownerId, query, page) => {
      const { items } = await original.search(ownerId, query, page);
      return { items, total: items.length };
    },
  }),
  'scans from the given id on instead of after it': (original, { searchEntries }) => ({
    scan: async (after, limit) =>
      [
        ...(after !== undefined && searchEntries.has(after) ? [after] : []),
        ...(await original.scan(after, limit)),
      ].slice(0, limit),
  }),
  'scans in the order in which entries were stored': (_original, { searchEntries }) => ({
    scan: async (after, limit) => {
      const all = [...searchEntries.keys()];
      return all.slice(after === undefined ? 0 : all.indexOf(after) + 1).slice(0, limit);
    },
  }),
  'remembers the version of a removed entry': (original, { searchEntries }) => {
    const removed = new Map<string, number>();
    return {
      remove: async (documentId) => {
        removed.set(documentId, searchEntries.get(documentId)?.version ?? -1);
        await original.remove(documentId);
      },
      put: async (entry) => {
        if ((removed.get(entry.documentId) ?? -1) <= entry.version) await original.put(entry);
      },
    };
  },
});
