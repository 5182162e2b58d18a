import {
  type Document,
  type DocumentRepository,
  type ProcessingDocument,
  afterFault,
  claim,
  complete,
  defaultWorkRules,
  fail,
  isClaimable,
  markDeleted,
  release,
  renew,
  reprocess,
} from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { ID_COUNT, OWNERS, aTime, anId, anyId } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { strangeTexts, unknownIds } from '../kit/samples.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';

const samples = [aDocument, aProcessingDocument, aCompletedDocument, aFailedDocument, aDeletingDocument] as const;

const anyDocument = (random: Random): Document => {
  const id = anId(random);
  const given = {
    id,
    ownerId: random.pick(OWNERS),
    receivedAt: aTime(random),
    title: random.pick(strangeTexts),
    originalFilename: random.pick(strangeTexts),
    blobKey: `documents/${random.below(10)}`,
  };
  const made = random.pick(samples)(given);
  // A new random id would make the same seed create another document.
  if ('lease' in made) return { ...made, run: id, lease: { ...made.lease, token: id, expiresAt: aTime(random) } };
  return 'run' in made ? { ...made, run: id } : made;
};

/** The steps of the life cycle. */
const steps: Readonly<Record<string, (document: Document, now: number, token: string) => Document>> = {
  claim: (document, now, token) => claim(document, token, now, defaultWorkRules),
  renew: (document, now) =>
    document.status === 'processing' ? renew(document, now, defaultWorkRules, { pagesDone: 2 }) : document,
  complete: (document, now) => complete(document, { engine: 'tesseract', language: 'eng', pageCount: 1 }, now),
  fail: (document, now) => fail(document, 'It is damaged.', now),
  reprocess: (document, now) => reprocess(document, now),
  release: (document, now) => release(document as ProcessingDocument, now),
  'retry later': (document, now) =>
    afterFault(
      document as ProcessingDocument,
      { class: 'over-limit', message: 'It took too long.', pageNumber: 1 },
      now,
      defaultWorkRules,
    ),
  'mark as deleted': (document, now) => (document.status === 'deleting' ? document : markDeleted(document, now)),
};

const isPossible = (document: Document, step: string): boolean =>
  !(step === 'release' || step === 'retry later') || document.status === 'processing';

const next = (
  document: Document | undefined,
  { step, now, token }: { step: string; now: number; token: string },
): Document | undefined =>
  document === undefined || !isPossible(document, step) ? undefined : steps[step]?.(document, now, token);

const byId = (documents: readonly Document[]): readonly Document[] =>
  documents.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const aChange = (random: Random) => {
  const step = random.oneIn(2) ? 'claim' : random.pick(Object.keys(steps));
  return { id: anId(random), step, now: aTime(random), token: `token-${random.below(1000)}` };
};

/**
 * Random operations on documents. The port does not define which of several equal owners is first, so the result of
 * `nextClaimable` is compared without the owner.
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
  'change by two candidates': operation(aChange, async (documents, change) => {
    const changed = next(await documents.find(change.id), change);
    const won = changed && (await Promise.all([documents.replace(changed), documents.replace(changed)]));
    return won?.toSorted((a, b) => Number(a) - Number(b));
  }),
  'change of an unknown document': operation(anyDocument, (documents, document) =>
    documents.replace({ ...document, id: `${document.id}?`, version: 2 }),
  ),
  nextClaimable: operation(
    aTime,
    async (documents, now) => {
      const found = await documents.nextClaimable(now);
      const ofOwner = (await documents.scan(undefined, ID_COUNT)).filter(({ ownerId }) => ownerId === found?.ownerId);
      const held = ofOwner.filter(
        (document) => document.status === 'processing' && document.lease.expiresAt > now,
      ).length;
      const earliest = ofOwner.filter((document) => isClaimable(document, now)).map(({ receivedAt }) => receivedAt);
      return found && { held, isEarliest: found.receivedAt === Math.min(...earliest) };
    },
    2,
  ),
  findPurgeable: operation(aTime, async (documents, now) => byId(await documents.findPurgeable(now, ID_COUNT))),
  'findPurgeable of a few': operation(aTime, async (documents, now) => (await documents.findPurgeable(now, 2)).length),
  scan: operation(
    (random) => ({ after: random.oneIn(3) ? undefined : anId(random), limit: 1 + random.below(ID_COUNT) }),
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
