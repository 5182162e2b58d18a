import type { DocumentRepository } from '@palimpsest/core';
import { MemoryDocumentRepository } from '@palimpsest/memory';
import { describeDocumentRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs, type Mutants } from './mutant.ts';

const records: Mutants<DocumentRepository> = {
  'overwrites a document that has the same id': (_original, store) => ({
    add: async (document) => void store.documents.set(document.id, structuredClone(document)),
  }),
  'compares ids without regard to case': (_original, { documents }) => {
    foldKeys(documents);
    return {};
  },
  'keeps a reference to the object that it was given': (_original, { documents }) => ({
    replace: async (next) => {
      if (documents.get(next.id)?.version !== next.version - 1) return false;
      documents.set(next.id, next);
      return true;
    },
  }),
  'stores whole milliseconds only': (original) => ({
    add: (document) => original.add({ ...document, receivedAt: wholeMs(document.receivedAt) }),
  }),
  'keeps fields of the previous status': (original, { documents }) => ({
    replace: async (next) => {
      const merged = { ...documents.get(next.id), ...next };
      return await original.replace(merged);
    },
  }),
  'replaces a document of any version': (original, { documents }) => ({
    replace: async (next) => {
      const stored = documents.get(next.id);
      if (stored === undefined) return false;
      documents.set(next.id, { ...stored, version: next.version - 1 });
      return await original.replace(next);
    },
  }),
  'compares the version and replaces later, not atomically': (original, { documents }) => ({
    replace: async (next) => {
      if (documents.get(next.id)?.version !== next.version - 1) return false;
      await nextTurn();
      await original.replace(next);
      return true;
    },
  }),
  'reports a lost update as stored': (original) => ({
    replace: async (next) => {
      await original.replace(next);
      return true;
    },
  }),
  'stores a document that was removed when it is replaced': (original, { documents }) => ({
    replace: async (next) => {
      if (documents.has(next.id)) return await original.replace(next);
      documents.set(next.id, structuredClone(next));
      return true;
    },
  }),
  'removes nothing': () => ({ remove: async () => {} }),
  'throws when it removes an absent document': (original, { documents }) => ({
    remove: async (id) => {
      if (!documents.has(id)) throw new Error('not found');
      await original.remove(id);
    },
  }),
};

const lists: Mutants<DocumentRepository> = {
  'lists the documents of all owners': (_original, { documents }) => ({
    list: async (_ownerId, { limit, offset }) => {
      const all = [...documents.values()].filter(({ status }) => status !== 'deleting');
      return { items: all.slice(offset, offset + limit), total: all.length };
    },
  }),
  'lists deleted documents': (original, { documents }) => ({
    list: async (ownerId, page) => {
      const deleted = [...documents.values()].filter((one) => one.ownerId === ownerId && one.status === 'deleting');
      const { items, total } = await original.list(ownerId, page);
      return { items: [...items, ...deleted], total };
    },
  }),
  'counts deleted documents in the total': (original, { documents }) => ({
    list: async (ownerId, page) => ({
      items: (await original.list(ownerId, page)).items,
      total: [...documents.values()].filter((one) => one.ownerId === ownerId).length,
    }),
  }),
  'lists documents of the same time in ascending order of ids': (original) => ({
    list: async (ownerId, { limit, offset }) => {
      const { items, total } = await original.list(ownerId, { limit: 10_000, offset: 0 });
      const sorted = items.toSorted((a, b) => b.receivedAt - a.receivedAt || (a.id < b.id ? -1 : 1));
      return { items: sorted.slice(offset, offset + limit), total };
    },
  }),
  'sorts each page of a list separately': (original) => ({
    list: async (ownerId, page) => {
      const { items, total } = await original.list(ownerId, page);
      return { items: items.toSorted((a, b) => a.receivedAt - b.receivedAt), total };
    },
  }),
  'skips one document too many between pages': (original) => ({
    list: (ownerId, { limit, offset }) => original.list(ownerId, { limit, offset: offset === 0 ? 0 : offset + 1 }),
  }),
  'lists at most 100 documents': (original) => ({
    list: (ownerId, { limit, offset }) => original.list(ownerId, { limit: Math.min(100, limit), offset }),
  }),
  'returns the number of items on the page as the total': (original) => ({
    list: async (ownerId, page) => {
      const { items } = await original.list(ownerId, page);
      return { items, total: items.length };
    },
  }),
  'purges one microsecond early': (original) => ({
    findPurgeable: (now, limit) => original.findPurgeable(now + 1, limit),
  }),
  'scans from the given id on instead of after it': (original, { documents }) => ({
    scan: async (after, limit) => {
      const own = after === undefined ? undefined : documents.get(after);
      return [...(own ? [own] : []), ...(await original.scan(after, limit))].slice(0, limit);
    },
  }),
  'scans in the order in which documents were added': (_original, { documents }) => ({
    scan: async (after, limit) => {
      const all = [...documents.values()];
      return all.slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1).slice(0, limit);
    },
  }),
  'restarts a scan from the beginning after an id that was removed': (original, { documents }) => ({
    scan: (after, limit) => original.scan(after !== undefined && documents.has(after) ? after : undefined, limit),
  }),
  'does not report the blobs of deleted documents as referenced': (_original, { documents }) => ({
    referencedBlobs: async (keys) => {
      const live = [...documents.values()].filter(({ status }) => status !== 'deleting');
      const used = new Set(live.map(({ blobKey }) => blobKey));
      return new Set(keys.filter((key) => used.has(key)));
    },
  }),
  'looks up only the first 1,000 blob keys': (original) => ({
    referencedBlobs: (keys) => original.referencedBlobs(keys.slice(0, 1000)),
  }),
};

const claims: Mutants<DocumentRepository> = {
  'returns the document that was received first, of any owner': (original, { documents }) => ({
    nextClaimable: async (now) => {
      const first = await original.nextClaimable(now);
      if (first === undefined) return undefined;
      const queued = [...documents.values()].filter((one) => one.status === 'queued' && one.notBefore <= now);
      return queued.toSorted((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1))[0] ?? first;
    },
  }),
  'forgets which owner was served last': (original, { served }) => ({
    nextClaimable: (now) => {
      served.clear();
      return original.nextClaimable(now);
    },
  }),
  'counts the renewal of a lease as a claim': (original, { served }) => ({
    replace: async (next) => {
      const stored = await original.replace(next);
      if (stored && next.status === 'processing') served.set(next.ownerId, Math.max(0, ...served.values()) + 1);
      return stored;
    },
  }),
  'counts documents with an expired lease as being processed': (original, { documents }) => ({
    nextClaimable: async (now) => {
      const expired = new Set(
        [...documents.values()]
          .filter((one) => one.status === 'processing' && one.lease.expiresAt <= now)
          .map(({ ownerId }) => ownerId),
      );
      const queued = [...documents.values()].find(
        (one) => one.status === 'queued' && one.notBefore <= now && !expired.has(one.ownerId),
      );
      return queued ?? (await original.nextClaimable(now));
    },
  }),
  'returns a document one microsecond before it is due': (original) => ({
    nextClaimable: (now) => original.nextClaimable(now + 1),
  }),
  'never returns a document whose lease expired': (original) => ({
    nextClaimable: async (now) => {
      const next = await original.nextClaimable(now);
      return next?.status === 'processing' ? undefined : next;
    },
  }),
};

describeStoreMutants('DocumentRepository', describeDocumentRepository, (store) => new MemoryDocumentRepository(store), {
  ...records,
  ...lists,
  ...claims,
});
