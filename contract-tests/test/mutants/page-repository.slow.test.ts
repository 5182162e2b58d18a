import { MemoryPageRepository } from '@palimpsest/memory';
import { describePageRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn } from './mutant.ts';

describeStoreMutants('PageRepository', describePageRepository, (store) => new MemoryPageRepository(store), {
  'keeps the first page that was stored under a number': (original, { pages }) => ({
    put: async (documentId, run, page) => {
      if (!pages.get(documentId)?.get(run)?.has(page.number)) await original.put(documentId, run, page);
    },
  }),
  'adds the words of a replaced page to the old ones': (original, { pages }) => ({
    put: async (documentId, run, page) => {
      const old = pages.get(documentId)?.get(run)?.get(page.number)?.words ?? [];
      await original.put(documentId, run, { ...page, words: [...old, ...page.words] });
    },
  }),
  'stores boxes as 32-bit floats': (original) => ({
    words: async (documentId, run, number) =>
      (await original.words(documentId, run, number))?.map((word) => {
        const [x0, y0, x1, y1] = word.bbox;
        return { ...word, bbox: [Math.fround(x0), Math.fround(y0), Math.fround(x1), Math.fround(y1)] as const };
      }),
  }),
  'joins document and run to one key without a separator': (original) => ({
    put: (documentId, run, page) => original.put(documentId + run, '', page),
    list: (documentId, run) => original.list(documentId + run, ''),
    words: (documentId, run, number) => original.words(documentId + run, '', number),
  }),
  'compares document ids without regard to case': (_original, { pages }) => {
    foldKeys(pages);
    return {};
  },
  'lists pages with their words': (original, { pages }) => ({
    list: async (documentId, run) => {
      const words = new Map(pages.get(documentId)?.get(run));
      return (await original.list(documentId, run)).map((page) => ({ ...page, words: words.get(page.number)?.words }));
    },
  }),
  'sorts page numbers as text': (original) => ({
    list: async (documentId, run) =>
      (await original.list(documentId, run)).toSorted((a, b) => (String(a.number) < String(b.number) ? -1 : 1)),
  }),
  'lists at most 100 pages': (original) => ({
    list: async (documentId, run) => (await original.list(documentId, run)).slice(0, 100),
  }),
  'returns undefined for a page without words': (original) => ({
    words: async (documentId, run, number) => {
      const words = await original.words(documentId, run, number);
      return words?.length === 0 ? undefined : words;
    },
  }),
  'copies the pages that it adopts': (original, { pages }) => ({
    adopt: async (documentId, run) => {
      const before = structuredClone(pages.get(documentId));
      const numbers = await original.adopt(documentId, run);
      for (const [other, old] of before ?? []) if (other !== run) pages.get(documentId)?.set(other, old);
      return numbers;
    },
  }),
  'replaces pages of the run by adopted ones': (original, { pages }) => ({
    adopt: async (documentId, run) => {
      const others = [...(pages.get(documentId) ?? [])].filter(([other]) => other !== run);
      for (const [, old] of others) for (const page of old.values()) await original.put(documentId, run, page);
      return await original.adopt(documentId, run);
    },
  }),
  'returns adopted numbers unsorted': (original) => ({
    adopt: async (documentId, run) => (await original.adopt(documentId, run)).toReversed(),
  }),
  'reads the pages of the run, then adopts, not atomically': (original, { pages }) => ({
    adopt: async (documentId, run) => {
      const numbers = (await original.list(documentId, run)).map(({ number }) => number);
      const others = structuredClone([...(pages.get(documentId) ?? [])].filter(([other]) => other !== run));
      await nextTurn();
      for (const [, old] of others) {
        for (const page of old.values()) if (!numbers.includes(page.number)) await original.put(documentId, run, page);
      }
      return await original.adopt(documentId, run);
    },
  }),
  'removes the named run instead of the others': (_original, { pages }) => ({
    removeOthers: async (documentId, run) => void pages.get(documentId)?.delete(run),
  }),
});
