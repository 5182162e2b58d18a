import type { PageRepository, RecognizedPage } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

const plain = (change: (sound: PageRepository) => Partial<PageRepository>) => mutant(() => change);

/** A page of a run with its words. */
const pageOf = async (
  sound: PageRepository,
  id: string,
  run: string,
  number: number,
): Promise<RecognizedPage | undefined> => {
  const page = (await sound.list(id, run)).find((each) => each.number === number);
  return page && { ...page, words: (await sound.words(id, run, number)) ?? [] };
};

/** A repository that knows which runs it has stored pages of. */
const knowingRuns = (
  change: (sound: PageRepository, runsOf: (id: string) => readonly string[]) => Partial<PageRepository>,
) =>
  mutant<PageRepository>(() => {
    const runs = new Map<string, Set<string>>();
    return (sound) => ({
      put: (id, run, page) => {
        runs.set(id, (runs.get(id) ?? new Set()).add(run));
        return sound.put(id, run, page);
      },
      ...change(sound, (id) => [...(runs.get(id) ?? [])]),
    });
  });

/** Broken repositories, by what is wrong with them. */
export const pageRepositoryMutants: Mutants<PageRepository> = {
  'stores nothing': plain(() => ({ put: async () => {} })),
  'keeps the first page of a number': plain((sound) => ({
    put: async (id, run, page) => {
      if ((await sound.words(id, run, page.number)) === undefined) await sound.put(id, run, page);
    },
  })),
  'keeps the words of the page before': plain((sound) => ({
    put: async (id, run, page) =>
      sound.put(id, run, { ...page, words: (await sound.words(id, run, page.number)) ?? page.words }),
  })),
  'adds words to those of the page before': plain((sound) => ({
    put: async (id, run, page) =>
      sound.put(id, run, { ...page, words: [...((await sound.words(id, run, page.number)) ?? []), ...page.words] }),
  })),
  'forgets the words': plain((sound) => ({ put: (id, run, page) => sound.put(id, run, { ...page, words: [] }) })),
  'rounds confidences': plain((sound) => ({
    put: (id, run, page) => sound.put(id, run, { ...page, confidence: Math.round(page.confidence * 100) / 100 }),
  })),
  'forgets how a page was turned': plain((sound) => ({
    put: (id, run, page) => sound.put(id, run, { ...page, rotation: 0 }),
  })),
  'has no regard for runs': plain((sound) => ({
    put: (id, _run, page) => sound.put(id, 'run', page),
    list: (id) => sound.list(id, 'run'),
    words: (id, _run, number) => sound.words(id, 'run', number),
  })),
  'has no regard for documents': plain((sound) => ({
    put: (_id, run, page) => sound.put('document', run, page),
    list: (_id, run) => sound.list('document', run),
    words: (_id, run, number) => sound.words('document', run, number),
  })),
  'joins document and run to one key': plain((sound) => ({
    put: (id, run, page) => sound.put(id + run, '', page),
    list: (id, run) => sound.list(id + run, ''),
    words: (id, run, number) => sound.words(id + run, '', number),
  })),
  'lists pages with their words': plain((sound) => ({
    list: async (id, run) =>
      Promise.all(
        (await sound.list(id, run)).map(async (page) => ({ ...page, words: await sound.words(id, run, page.number) })),
      ),
  })),
  'orders numbers as texts': plain((sound) => ({
    list: async (id, run) =>
      (await sound.list(id, run)).toSorted((a, b) => (String(a.number) < String(b.number) ? -1 : 1)),
  })),
  'lists backwards': plain((sound) => ({ list: async (id, run) => (await sound.list(id, run)).toReversed() })),
  'gives no words for a page that is not there': plain((sound) => ({
    words: async (id, run, number) => (await sound.words(id, run, number)) ?? [],
  })),
  'gives undefined for a page without words': plain((sound) => ({
    words: async (id, run, number) => {
      const words = await sound.words(id, run, number);
      return words?.length === 0 ? undefined : words;
    },
  })),
  'gives the words backwards': plain((sound) => ({
    words: async (id, run, number) => (await sound.words(id, run, number))?.toReversed(),
  })),
  'adopts nothing': plain((sound) => ({
    adopt: async (id, run) => (await sound.list(id, run)).map(({ number }) => number),
  })),
  'adopts and tells of the new pages alone': plain((sound) => ({
    adopt: async (id, run) => {
      const before = (await sound.list(id, run)).map(({ number }) => number);
      return (await sound.adopt(id, run)).filter((number) => !before.includes(number));
    },
  })),
  'tells adopted numbers in no order': plain((sound) => ({
    adopt: async (id, run) => (await sound.adopt(id, run)).toReversed(),
  })),
  'adopts over the pages that the run has': knowingRuns((sound, runsOf) => ({
    adopt: async (id, run) => {
      for (const other of runsOf(id)) {
        for (const { number } of other === run ? [] : await sound.list(id, other)) {
          const page = await pageOf(sound, id, other, number);
          if (page !== undefined) await sound.put(id, run, page);
        }
      }
      return sound.adopt(id, run);
    },
  })),
  'adopts a page without its words': knowingRuns((sound, runsOf) => ({
    adopt: async (id, run) => {
      const own = (await sound.list(id, run)).map(({ number }) => number);
      for (const other of runsOf(id)) {
        for (const page of other === run ? [] : await sound.list(id, other)) {
          if (!own.includes(page.number)) await sound.put(id, other, { ...page, words: [] });
        }
      }
      return sound.adopt(id, run);
    },
  })),
  'copies what it adopts': knowingRuns((sound, runsOf) => ({
    adopt: async (id, run) => {
      const others = runsOf(id).filter((other) => other !== run);
      const copies = await Promise.all(
        others.map(async (other) =>
          Promise.all(
            (await sound.list(id, other)).map(
              async ({ number }) => [other, await pageOf(sound, id, other, number)] as const,
            ),
          ),
        ),
      );
      const numbers = await sound.adopt(id, run);
      for (const [other, page] of copies.flat()) if (page !== undefined) await sound.put(id, other, page);
      return numbers;
    },
  })),
  'adopts later pages of the other run too': mutant(() => {
    const adopters = new Map<string, string>();
    return (sound) => ({
      adopt: (id, run) => {
        adopters.set(id, run);
        return sound.adopt(id, run);
      },
      put: (id, run, page) => sound.put(id, adopters.get(id) ?? run, page),
    });
  }),
  'removes the run instead of the others': plain((sound) => ({ removeOthers: (id) => sound.removeAll(id) })),
  'removes no others': plain(() => ({ removeOthers: async () => {} })),
  'removes nothing': plain(() => ({ removeAll: async () => {} })),
  'removes the pages of one run for all': plain((sound) => ({ removeAll: (id) => sound.removeOthers(id, 'b') })),
  'keeps the object that it was given': mutant(() => {
    const given = new Map<string, RecognizedPage>();
    return (sound) => ({
      put: async (id, run, page) => {
        given.set(JSON.stringify([id, run, page.number]), page);
        await sound.put(id, run, page);
      },
      words: async (id, run, number) => {
        const words = await sound.words(id, run, number);
        return words && (given.get(JSON.stringify([id, run, number]))?.words ?? words);
      },
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
