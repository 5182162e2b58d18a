import { isAppError, type Revision, type RevisionRepository } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

const plain = (change: (sound: RevisionRepository) => Partial<RevisionRepository>) => mutant(() => change);

/** Broken repositories, by what is wrong with them. */
export const revisionRepositoryMutants: Mutants<RevisionRepository> = {
  'stores nothing': plain(() => ({ append: async (_id, revision) => ({ number: 1, ...revision }) })),
  'numbers from 0': plain((sound) => ({
    append: async (...given) => {
      const revision = await sound.append(...given);
      return { ...revision, number: revision.number - 1 };
    },
  })),
  'numbers over all documents': mutant(() => {
    let last = 0;
    return (sound) => ({ append: async (...given) => ({ ...(await sound.append(...given)), number: ++last }) });
  }),
  'looks for the newest number and then stores': plain((sound) => ({
    append: async (id, revision, expected) => {
      const newest = (await sound.newest(id))?.number ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
      return { ...(await sound.append(id, revision, expected)), number: newest + 1 };
    },
  })),
  'loses a revision that another one overtakes': plain((sound) => ({
    append: async (id, revision, expected) => {
      const newest = (await sound.newest(id))?.number ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
      return sound.append(id, revision, expected ?? newest);
    },
  })),
  'expects nothing': plain((sound) => ({ append: (id, revision) => sound.append(id, revision) })),
  'takes 0 for no expectation': plain((sound) => ({
    append: (id, revision, expected) => sound.append(id, revision, expected === 0 ? undefined : expected),
  })),
  'takes a higher number than the newest': plain((sound) => ({
    append: async (id, revision, expected) => {
      const newest = (await sound.newest(id))?.number ?? 0;
      return sound.append(id, revision, expected !== undefined && expected > newest ? newest : expected);
    },
  })),
  'stores what it refuses': plain((sound) => ({
    append: async (id, revision, expected) => {
      try {
        return await sound.append(id, revision, expected);
      } catch (error) {
        await sound.append(id, revision);
        throw error;
      }
    },
  })),
  'refuses with an error of its own': plain((sound) => ({
    append: (...given) =>
      sound.append(...given).catch((error: unknown) => {
        throw isAppError(error) ? new Error('conflict') : error;
      }),
  })),
  'lists the oldest first': plain((sound) => ({ list: async (id) => (await sound.list(id)).toReversed() })),
  'orders numbers as texts': plain((sound) => ({
    list: async (id) => (await sound.list(id)).toSorted((a, b) => (String(a.number) < String(b.number) ? 1 : -1)),
  })),
  'orders by time': plain((sound) => ({
    list: async (id) => (await sound.list(id)).toSorted((a, b) => b.revisedAt - a.revisedAt),
  })),
  'finds nothing': plain(() => ({ find: async () => undefined })),
  'finds the newest under any number': plain((sound) => ({ find: (id) => sound.newest(id) })),
  'finds the newest where no revision has the number': plain((sound) => ({
    find: async (id, number) => (await sound.find(id, number)) ?? sound.newest(id),
  })),
  'counts from the newest': plain((sound) => ({ find: async (id, number) => (await sound.list(id))[number - 1] })),
  'counts from 0': plain((sound) => ({ find: async (id, number) => (await sound.list(id)).toReversed()[number] })),
  'counts from the end below 1': plain((sound) => ({
    find: async (id, number) => (await sound.list(id)).toReversed().at(number - 1),
  })),
  'finds by part of a number': plain((sound) => ({ find: (id, number) => sound.find(id, Math.trunc(number)) })),
  'finds by 32 bits of a number': plain((sound) => ({
    find: (id, number) => sound.find(id, Number.isInteger(number) ? number | 0 : number),
  })),
  'refuses what is no whole number': plain((sound) => ({
    find: async (id, number) => sound.find(id, Number(BigInt(number))),
  })),
  'refuses to look for what is no number of a revision': plain((sound) => ({
    find: (id, number) =>
      number >= 1 ? sound.find(id, number) : Promise.reject(new TypeError('No number of a revision')),
  })),
  'finds the first revision as if every document had one': plain((sound) => ({
    find: async (id, number) =>
      (await sound.find(id, number)) ?? (number === 1 ? { number: 1, revisedAt: 0, text: '' } : undefined),
  })),
  'still finds what was removed': mutant(() => {
    const kept = new Map<string, Revision>();
    return (sound) => ({
      find: async (id, number) => {
        const revision = (await sound.find(id, number)) ?? kept.get(`${number} ${id}`);
        if (revision) kept.set(`${number} ${id}`, { ...revision });
        return revision;
      },
    });
  }),
  'gives the oldest for the newest': plain((sound) => ({ newest: async (id) => (await sound.list(id)).at(-1) })),
  'lists the newest alone': plain((sound) => ({ list: async (id) => (await sound.list(id)).slice(0, 1) })),
  'cuts long texts': plain((sound) => ({
    append: (id, revision, expected) =>
      sound.append(id, { ...revision, text: revision.text.slice(0, 1_000_000) }, expected),
  })),
  'trims texts': plain((sound) => ({
    append: (id, revision, expected) => sound.append(id, { ...revision, text: revision.text.trim() }, expected),
  })),
  'normalises texts': plain((sound) => ({
    append: (id, revision, expected) =>
      sound.append(id, { ...revision, text: revision.text.normalize('NFC') }, expected),
  })),
  'removes nothing': plain(() => ({ removeAll: async () => {} })),
  'removes the revisions of every document': mutant(() => {
    const ids = new Set<string>();
    return (sound) => ({
      append: (id, ...rest) => {
        ids.add(id);
        return sound.append(id, ...rest);
      },
      removeAll: async () => {
        for (const id of ids) await sound.removeAll(id);
      },
    });
  }),
  'gives the same object out twice': mutant(() => {
    const out = new Map<string, Revision>();
    return (sound) => ({
      newest: async (id) => {
        const newest = await sound.newest(id);
        if (newest === undefined) return undefined;
        const key = `${id} ${newest.number}`;
        out.set(key, out.get(key) ?? newest);
        return out.get(key);
      },
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
