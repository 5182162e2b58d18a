import {
  afterFault,
  claim,
  complete,
  defaultWorkRules,
  fail,
  handBack,
  isClaimable,
  markDeleted,
  parseSearchQuery,
  renew,
  reprocess,
  type Document,
  type DocumentRepository,
  type PageRepository,
  type ProcessingDocument,
  type RevisionRepository,
  type SearchIndex,
} from '@palimpsest/core';
import { operation, type OperationModel } from './kit/cross-check.ts';
import type { Random } from './kit/random.ts';
import {
  aCompletedDocument,
  aDeletingDocument,
  aDocument,
  aFailedDocument,
  aPage,
  aProcessingDocument,
  at,
  sampleId,
  strangeTexts,
  unknownIds,
} from './kit/samples.ts';

const IDS = ['$ne', '0', 'a.b', sampleId(1), sampleId(2), sampleId(3), sampleId(10), 'é'];
const OWNERS = ['owner-1', 'owner-2', 'owner-11', '{"$gt":""}'];
const DAY = 100; // seconds in which everything happens

const anId = (random: Random): string => random.pick(IDS);
const anyId = (random: Random): string => (random.oneIn(5) ? random.pick(unknownIds) : anId(random));
const aMoment = (random: Random): number => at(random.below(DAY));

const samples = [aDocument, aProcessingDocument, aCompletedDocument, aFailedDocument, aDeletingDocument] as const;

const anyDocument = (random: Random): Document => {
  const id = anId(random);
  const given = {
    id,
    ownerId: random.pick(OWNERS),
    receivedAt: aMoment(random),
    title: random.pick(strangeTexts),
    originalFilename: random.pick(strangeTexts),
    blobKey: `documents/${random.below(10)}`,
  };
  const made = random.pick(samples)(given);
  // Ids of their own would not be the same in a run that is repeated.
  if ('lease' in made) return { ...made, run: id, lease: { ...made.lease, token: id, expiresAt: aMoment(random) } };
  return 'run' in made ? { ...made, run: id } : made;
};

/** What the lifecycle makes of a document, by what happens to it. */
const steps: Readonly<Record<string, (document: Document, now: number, token: string) => Document>> = {
  claim: (document, now, token) => claim(document, token, now, defaultWorkRules),
  renew: (document, now) =>
    document.status === 'processing' ? renew(document, now, defaultWorkRules, { pagesDone: 2 }) : document,
  complete: (document, now) => complete(document, { engine: 'tesseract', language: 'eng', pageCount: 1 }, now),
  fail: (document, now) => fail(document, 'It is damaged.', now),
  reprocess: (document, now) => reprocess(document, now),
  'hand back': (document, now) => handBack(document as ProcessingDocument, now),
  'put off': (document, now) =>
    afterFault(
      document as ProcessingDocument,
      { class: 'over-limit', message: 'It took too long.', pageNumber: 1 },
      now,
      defaultWorkRules,
    ),
  'mark as deleted': (document, now) => (document.status === 'deleting' ? document : markDeleted(document, now)),
};

const fits = (document: Document, step: string): boolean =>
  !(step === 'hand back' || step === 'put off') || document.status === 'processing';

const next = (
  document: Document | undefined,
  { step, now, token }: { step: string; now: number; token: string },
): Document | undefined =>
  document === undefined || !fits(document, step) ? undefined : steps[step]?.(document, now, token);

const byId = (documents: readonly Document[]): readonly Document[] =>
  documents.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const aChange = (random: Random) => {
  const step = random.oneIn(2) ? 'claim' : random.pick(Object.keys(steps));
  return { id: anId(random), step, now: aMoment(random), token: `token-${random.below(1000)}` };
};

/**
 * Operations on document records. Which owner is first of several that are equal in all is left open by the port: of the
 * next one to be claimed only that is asked which does not depend on it.
 */
export const documentModel: OperationModel<DocumentRepository> = () => ({
  add: operation(anyDocument, (documents, document) => documents.add(document), 4),
  find: operation(anyId, (documents, id) => documents.find(id), 2),
  list: operation(
    (random) => ({
      owner: random.oneIn(8) ? random.pick(unknownIds) : random.pick(OWNERS),
      limit: 1 + random.below(5),
      offset: random.below(4),
    }),
    (documents, { owner, ...page }) => documents.list(owner, page),
    2,
  ),
  change: operation(
    aChange,
    async (documents, change) => {
      const changed = next(await documents.find(change.id), change);
      return changed && [await documents.replace(changed), changed.status];
    },
    8,
  ),
  'change of another version': operation(
    (random) => ({ id: anId(random), by: random.pick([-1, 0, 2, 100]), title: random.pick(strangeTexts) }),
    async (documents, { id, by, title }) => {
      const document = await documents.find(id);
      return document && (await documents.replace({ ...document, title, version: document.version + by }));
    },
  ),
  'change by two rivals': operation(aChange, async (documents, change) => {
    const changed = next(await documents.find(change.id), change);
    const won = changed && (await Promise.all([documents.replace(changed), documents.replace(changed)]));
    return won?.toSorted((a, b) => Number(a) - Number(b));
  }),
  'change of none': operation(anyDocument, (documents, document) =>
    documents.replace({ ...document, id: `${document.id}?`, version: 2 }),
  ),
  nextClaimable: operation(
    aMoment,
    async (documents, now) => {
      const found = await documents.nextClaimable(now);
      const ofOwner = (await documents.scan(undefined, IDS.length)).filter(({ ownerId }) => ownerId === found?.ownerId);
      const held = ofOwner.filter(
        (document) => document.status === 'processing' && document.lease.expiresAt > now,
      ).length;
      const earliest = ofOwner.filter((document) => isClaimable(document, now)).map(({ receivedAt }) => receivedAt);
      return found && { held, isEarliest: found.receivedAt === Math.min(...earliest) };
    },
    2,
  ),
  countClaimable: operation(aMoment, (documents, now) => documents.countClaimable(now)),
  findPurgeable: operation(aMoment, async (documents, now) => byId(await documents.findPurgeable(now, IDS.length))),
  'findPurgeable of a few': operation(
    aMoment,
    async (documents, now) => (await documents.findPurgeable(now, 2)).length,
  ),
  scan: operation(
    (random) => ({ after: random.oneIn(3) ? undefined : anId(random), limit: 1 + random.below(IDS.length) }),
    (documents, { after, limit }) => documents.scan(after, limit),
  ),
  referencedBlobs: operation(
    (random) => Array.from({ length: random.below(8) }, () => `documents/${random.below(12)}`),
    async (documents, keys) => [...(await documents.referencedBlobs(keys))].toSorted(),
  ),
  remove: operation(anyId, (documents, id) => documents.remove(id)),
  check: operation(
    () => undefined,
    (documents) => documents.check(),
  ),
});

const RUNS = ['run-1', 'run-2', 'run-11', '__proto__'];
const PAGES_OF = ['document-1', 'document-2', '$ne', 'constructor'];

const countsByNumber = async (pages: PageRepository, document: string): Promise<readonly string[]> => {
  const lists = await Promise.all(RUNS.map((run) => pages.list(document, run)));
  return lists.flatMap((list) => list.map(({ number }) => `page ${number}`)).toSorted();
};

/**
 * Operations on pages. Of several runs with one number any may be adopted: those pages are alike in all runs, and what is
 * left of the others is removed at once.
 */
export const pageModel: OperationModel<PageRepository> = () => {
  const place = (random: Random) => ({ document: random.pick(PAGES_OF), run: random.pick(RUNS) });
  return {
    put: operation(
      (random) => {
        const where = place(random);
        const number = 1 + random.below(6);
        const isAdopted = where.document === 'document-1' || where.document === '$ne';
        const text = isAdopted ? (strangeTexts[number] ?? '') : random.pick(strangeTexts);
        const words = aPage().words.slice(0, isAdopted ? number % 3 : random.below(3));
        return {
          ...where,
          page: aPage({ number, text, words, ...(number % 2 === 0 ? {} : { confidence: number / 10 }) }),
        };
      },
      (pages, { document, run, page }) => pages.put(document, run, page),
      6,
    ),
    adopt: operation(
      (random) => ({ document: random.pick(['document-1', '$ne']), run: random.pick(RUNS) }),
      async (pages, { document, run }) => {
        const adopted = await pages.adopt(document, run);
        const everywhere = await countsByNumber(pages, document);
        await pages.removeOthers(document, run);
        return { adopted, everywhere, left: await countsByNumber(pages, document) };
      },
      2,
    ),
    list: operation(place, (pages, { document, run }) => pages.list(document, run), 4),
    words: operation(
      (random) => ({ ...place(random), number: random.pick([-1, 0, 0.5, 1, 2, 3, 4, 5, 6, 7, NaN]) }),
      (pages, { document, run, number }) => pages.words(document, run, number),
      3,
    ),
    'list of the unknown': operation(
      (random) => random.pick(unknownIds),
      (pages, id) => pages.list(id, 'run-1'),
    ),
    removeOthers: operation(place, (pages, { document, run }) => pages.removeOthers(document, run)),
    removeAll: operation(
      (random) => random.pick(PAGES_OF),
      (pages, document) => pages.removeAll(document),
    ),
  };
};

const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;

/** Operations on revisions. */
export const revisionModel: OperationModel<RevisionRepository> = () => {
  const revision = (random: Random) => ({
    document: random.pick(PAGES_OF),
    revisedAt: aMoment(random),
    text: random.pick(strangeTexts),
  });
  return {
    append: operation(revision, (revisions, { document, ...rest }) => revisions.append(document, rest), 2),
    'append after': operation(
      (random) => ({ ...revision(random), newest: random.below(6) }),
      (revisions, { document, newest, ...rest }) => revisions.append(document, rest, newest),
      4,
    ),
    'append after the newest': operation(
      revision,
      async (revisions, { document, ...rest }) =>
        revisions.append(document, rest, (await revisions.newest(document))?.number ?? 0),
      2,
    ),
    'append by two rivals': operation(revision, async (revisions, { document, ...rest }) => {
      const newest = (await revisions.newest(document))?.number ?? 0;
      return await outcomesOf([revisions.append(document, rest, newest), revisions.append(document, rest, newest)]);
    }),
    newest: operation(anyDocumentId, (revisions, id) => revisions.newest(id), 2),
    find: operation(
      (random) => ({
        id: anyDocumentId(random),
        number: random.pick([-1, 0, 0.5, 1, 2, 3, 4, 5, 2 ** 32 + 1, 2 ** 63, NaN, Infinity]),
      }),
      (revisions, { id, number }) => revisions.find(id, number),
      2,
    ),
    list: operation(anyDocumentId, (revisions, id) => revisions.list(id), 2),
    removeAll: operation(
      (random) => random.pick(PAGES_OF),
      (revisions, id) => revisions.removeAll(id),
    ),
  };
};

const anyDocumentId = (random: Random): string => (random.oneIn(6) ? random.pick(unknownIds) : random.pick(PAGES_OF));

const WORDS = [
  'harbour',
  'Harbor',
  'Grüße',
  'ﬁsh',
  'fish',
  'a',
  '2024',
  'łódź',
  'naïve',
  'it’s',
  '東京',
  '\u{1F600}',
  'x-ray',
  'old',
  'light',
];

const someText = (random: Random, most: number): string =>
  Array.from({ length: random.below(most) }, () => random.pick(WORDS)).join(random.pick([' ', ', ', '\n', ' - ', '_']));

const aQuery = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => {
    const word = random.pick(WORDS);
    return random.pick([
      word,
      word,
      `-${word}`,
      `"${word} ${random.pick(WORDS)}"`,
      `${word.slice(0, 2)}*`,
      word.toUpperCase(),
    ]);
  }).join(' ');

/** Operations on the search index. The order of what is found is compared by the contract, not here. */
export const searchModel: OperationModel<SearchIndex> = () => ({
  put: operation(
    (random) => ({
      documentId: anId(random),
      ownerId: random.pick(OWNERS),
      receivedAt: aMoment(random),
      version: random.below(4),
      title: someText(random, 4),
      filename: `${someText(random, 3)}.pdf`,
      text: random.oneIn(6) ? random.pick(strangeTexts) : someText(random, 20),
    }),
    (index, entry) => index.put(entry),
    3,
  ),
  versionOf: operation(anyId, (index, id) => index.versionOf(id)),
  search: operation(
    (random) => ({ owner: random.pick(OWNERS), q: aQuery(random) }),
    async (index, { owner, q }) => {
      const { items, total } = await index.search(owner, parseSearchQuery(q), { limit: 200, offset: 0 });
      return { items: items.toSorted(), total };
    },
    6,
  ),
  scan: operation(
    (random) => ({ after: random.oneIn(3) ? undefined : anId(random), limit: 1 + random.below(IDS.length) }),
    (index, { after, limit }) => index.scan(after, limit),
  ),
  remove: operation(anyId, (index, id) => index.remove(id)),
});
