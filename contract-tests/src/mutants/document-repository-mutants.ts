import type { Document, DocumentRepository } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

type Changes = Partial<DocumentRepository>;

const plain = (change: (sound: DocumentRepository) => Changes) => mutant(() => change);

/** Stores a document whatever is there. */
const force = async (sound: DocumentRepository, document: Document): Promise<void> => {
  await sound.remove(document.id);
  await sound.add(document);
};

const all = { limit: 100_000, offset: 0 };

const swap = (documents: readonly Document[]): readonly Document[] => documents.toReversed();

/** Documents as they were added and replaced, for mutants that answer from what passed them. */
const recording = (sound: DocumentRepository, seen: Map<string, Document>): Changes => ({
  add: async (document) => {
    await sound.add(document);
    seen.set(document.id, structuredClone(document));
  },
  replace: async (next) => {
    const done = await sound.replace(next);
    if (done) seen.set(next.id, structuredClone(next));
    return done;
  },
});

const records: Mutants<DocumentRepository> = {
  'stores nothing': plain(() => ({ add: async () => {} })),
  'overwrites the document that has the id': plain((sound) => ({ add: (document) => force(sound, document) })),
  'passes over a taken id in silence': plain((sound) => ({ add: (document) => sound.add(document).catch(() => {}) })),
  'names a taken id another error': plain((sound) => ({
    add: (document) =>
      sound.add(document).catch((cause: unknown) => {
        throw new Error('taken', { cause });
      }),
  })),
  'takes ids without regard to case': plain((sound) => ({ find: (id) => sound.find(id.toLowerCase()) })),
  'trims ids': plain((sound) => ({ find: (id) => sound.find(id.trim()) })),
  'ends ids at NUL': plain((sound) => ({ find: (id) => sound.find(id.split('\0')[0] ?? '') })),
  'throws for an unknown id': plain((sound) => ({
    find: async (id) => {
      const found = await sound.find(id);
      if (found === undefined) throw new Error('not found');
      return found;
    },
  })),
  'finds the document of somebody else': mutant(() => {
    const last: { document?: Document } = {};
    return (sound) => ({
      add: async (document) => {
        await sound.add(document);
        last.document ??= document;
      },
      find: async (id) => ((await sound.find(id)) === undefined ? undefined : structuredClone(last.document)),
    });
  }),
  'keeps the object that it was given': mutant(() => {
    const given = new Map<string, Document>();
    return (sound) => ({
      add: async (document) => {
        given.set(document.id, document);
        await sound.add(document);
      },
      find: async (id) => given.get(id) ?? sound.find(id),
      replace: async (next) => {
        given.delete(next.id);
        return sound.replace(next);
      },
      remove: async (id) => {
        given.delete(id);
        await sound.remove(id);
      },
    });
  }),
  'gives the same object out twice': mutant(() => {
    const out = new Map<string, Document>();
    return (sound) => ({
      find: async (id) => {
        const found = await sound.find(id);
        const key = found === undefined ? '' : JSON.stringify(found);
        if (found !== undefined && !out.has(key)) out.set(key, found);
        return out.get(key);
      },
    });
  }),
  'gives keys without a value': plain((sound) => ({
    find: async (id) => {
      const found = await sound.find(id);
      return found && Object.assign({ run: undefined }, found);
    },
  })),
  'keeps milliseconds': plain((sound) => ({
    add: (document) => sound.add({ ...document, receivedAt: Math.floor(document.receivedAt / 1000) * 1000 }),
  })),
  'forgets the tries of pages': plain((sound) => ({ add: (document) => sound.add({ ...document, pageTries: {} }) })),
  'keeps fields of the status before': plain((sound) => ({
    replace: async (next) => {
      const before = await sound.find(next.id);
      if (before === undefined || before.version !== next.version - 1) return false;
      await force(sound, { ...before, ...next });
      return true;
    },
  })),
  'replaces nothing and says that it did': plain(() => ({ replace: async () => true })),
  'replaces without regard to the version': plain((sound) => ({
    replace: async (next) => {
      if ((await sound.find(next.id)) === undefined) return false;
      await force(sound, next);
      return true;
    },
  })),
  'replaces any older version': plain((sound) => ({
    replace: async (next) => {
      const before = await sound.find(next.id);
      if (before === undefined || before.version >= next.version) return false;
      await force(sound, next);
      return true;
    },
  })),
  'looks at the version and then replaces': plain((sound) => ({
    replace: async (next) => {
      if ((await sound.find(next.id))?.version !== next.version - 1) return false;
      await new Promise((resolve) => setImmediate(resolve));
      await force(sound, next);
      return true;
    },
  })),
  'adds what is not there to replace': plain((sound) => ({
    replace: async (next) => {
      if ((await sound.find(next.id)) !== undefined) return sound.replace(next);
      await sound.add(next);
      return true;
    },
  })),
  'says that it lost and changes all the same': plain((sound) => ({
    replace: async (next) => {
      if (await sound.replace(next)) return true;
      const before = await sound.find(next.id);
      if (before !== undefined) await force(sound, { ...next, version: before.version });
      return false;
    },
  })),
  'removes nothing': plain(() => ({ remove: async () => {} })),
  'removes all that the owner has': plain((sound) => ({
    remove: async (id) => {
      const { ownerId } = (await sound.find(id)) ?? {};
      if (ownerId === undefined) return;
      for (const document of (await sound.list(ownerId, all)).items) await sound.remove(document.id);
    },
  })),
  'throws when it removes what is gone': plain((sound) => ({
    remove: async (id) => {
      if ((await sound.find(id)) === undefined) throw new Error('gone');
      await sound.remove(id);
    },
  })),
  'fails its check': plain(() => ({ check: () => Promise.reject(new Error('down')) })),
  'has a second handle that sees nothing': secondHandleElsewhere(),
  'has handles that remember what they found': plain((sound) => {
    const found = new Map<string, Document>();
    return {
      find: async (id) => {
        const document = found.get(id) ?? (await sound.find(id));
        if (document !== undefined) found.set(id, structuredClone(document));
        return structuredClone(document);
      },
    };
  }),
};

const lists: Mutants<DocumentRepository> = {
  'lists the documents of all owners': mutant(() => {
    const owners = new Set<string>();
    return (sound) => ({
      add: async (document) => {
        await sound.add(document);
        owners.add(document.ownerId);
      },
      list: async (_owner, page) => {
        const lists = await Promise.all([...owners].map((owner) => sound.list(owner, all)));
        const items = lists.flatMap((list) => list.items);
        return { items: items.slice(page.offset, page.offset + page.limit), total: items.length };
      },
    });
  }),
  'lists deleted documents': mutant(() => {
    const seen = new Map<string, Document>();
    return (sound) => ({
      ...recording(sound, seen),
      list: async (owner, page) => {
        const deleted = [...seen.values()].filter(({ ownerId, status }) => ownerId === owner && status === 'deleting');
        const { items, total } = await sound.list(owner, page);
        return { items: [...items, ...deleted], total: total + deleted.length };
      },
    });
  }),
  'counts deleted documents': mutant(() => {
    const seen = new Map<string, Document>();
    return (sound) => ({
      ...recording(sound, seen),
      list: async (owner, page) => {
        const deleted = [...seen.values()].filter(({ ownerId, status }) => ownerId === owner && status === 'deleting');
        const { items, total } = await sound.list(owner, page);
        return { items, total: total + deleted.length };
      },
    });
  }),
  'lists the oldest first': plain((sound) => ({
    list: async (owner, page) => {
      const { items, total } = await sound.list(owner, all);
      return { items: swap(items).slice(page.offset, page.offset + page.limit), total };
    },
  })),
  'lists documents of one moment by the lowest id': plain((sound) => ({
    list: async (owner, page) => {
      const { items, total } = await sound.list(owner, all);
      const sorted = swap(items).toSorted((a, b) => b.receivedAt - a.receivedAt);
      return { items: sorted.slice(page.offset, page.offset + page.limit), total };
    },
  })),
  'orders each page alone': plain((sound) => ({
    list: async (owner, page) => {
      const { items, total } = await sound.list(owner, page);
      return { items: items.toSorted((a, b) => (a.id < b.id ? 1 : -1)), total };
    },
  })),
  'skips one too many': plain((sound) => ({
    list: (owner, page) => sound.list(owner, { ...page, offset: page.offset + 1 }),
  })),
  'gives one too many': plain((sound) => ({
    list: (owner, page) => sound.list(owner, { ...page, limit: page.limit + 1 }),
  })),
  'takes the offset for a number of pages': plain((sound) => ({
    list: (owner, page) => sound.list(owner, { ...page, offset: page.offset * page.limit }),
  })),
  'gives no more than 100': plain((sound) => ({
    list: (owner, page) => sound.list(owner, { ...page, limit: Math.min(page.limit, 100) }),
  })),
  'counts the page for the total': plain((sound) => ({
    list: async (owner, page) => {
      const { items } = await sound.list(owner, page);
      return { items, total: items.length };
    },
  })),
  'gives the last page again beyond the end': plain((sound) => ({
    list: async (owner, page) => {
      const { total } = await sound.list(owner, page);
      return sound.list(owner, { ...page, offset: Math.max(0, Math.min(page.offset, total - 1)) });
    },
  })),
  'purges before the time': plain((sound) => ({
    findPurgeable: (_now, limit) => sound.findPurgeable(Number.MAX_SAFE_INTEGER, limit),
  })),
  'purges a microsecond late': plain((sound) => ({
    findPurgeable: (now, limit) => sound.findPurgeable(now - 1, limit),
  })),
  'purges more than was asked for': plain((sound) => ({
    findPurgeable: (now, limit) => sound.findPurgeable(now, limit + 1),
  })),
  'purges nothing': plain(() => ({ findPurgeable: async () => [] })),
  'scans nothing': plain(() => ({ scan: async () => [] })),
  'scans one document too few': plain((sound) => ({
    scan: async (after, limit) => (await sound.scan(after, limit)).slice(limit === 1 ? 0 : 1),
  })),
  'scans the last document anew': plain((sound) => ({
    scan: async (after, limit) => {
      const last = after === undefined ? undefined : await sound.find(after);
      const rest = await sound.scan(after, limit);
      return last === undefined || rest.length === 0 ? rest : [last, ...rest].slice(0, limit);
    },
  })),
  'scans more than it is asked for': plain((sound) => ({ scan: (after, limit) => sound.scan(after, limit + 1) })),
  'scans without order': plain((sound) => ({ scan: async (after, limit) => swap(await sound.scan(after, limit)) })),
  'scans no deleted documents': plain((sound) => ({
    scan: async (after, limit) => (await sound.scan(after, limit)).filter(({ status }) => status !== 'deleting'),
  })),
  'scans on only after ids that are there': plain((sound) => ({
    scan: async (after, limit) =>
      after !== undefined && (await sound.find(after)) === undefined ? [] : sound.scan(after, limit),
  })),
  'refers to every blob': plain(() => ({ referencedBlobs: async (keys) => new Set(keys) })),
  'refers to no blob': plain(() => ({ referencedBlobs: async () => new Set() })),
  'looks at the first thousand blobs': plain((sound) => ({
    referencedBlobs: (keys) => sound.referencedBlobs(keys.slice(0, 1000)),
  })),
  'refers to no blob of a deleted document': mutant(() => {
    const seen = new Map<string, Document>();
    return (sound) => ({
      ...recording(sound, seen),
      referencedBlobs: async (keys) => {
        const deleted = new Set(
          [...seen.values()].filter(({ status }) => status === 'deleting').map(({ blobKey }) => blobKey),
        );
        return new Set([...(await sound.referencedBlobs(keys))].filter((key) => !deleted.has(key)));
      },
    });
  }),
};

/** Broken repositories, by what is wrong with them; see `document-claim-mutants.ts` for those that share work badly. */
export const documentRepositoryMutants: Mutants<DocumentRepository> = { ...records, ...lists };
