import { isClaimable, type Document, type DocumentRepository, type Instant } from '@palimpsest/core';
import { mutant, type Mutant, type Mutants } from './mutant.ts';

/** What a repository knows that answers from what passed it. */
interface Seen {
  readonly documents: Map<string, Document>;
  readonly served: Map<string, number>;
}

type Rank = (document: Document, seen: Seen, now: Instant) => number;

const inWork: Rank = ({ ownerId }, { documents }, now) =>
  [...documents.values()].filter(
    (other) => other.ownerId === ownerId && other.status === 'processing' && other.lease.expiresAt > now,
  ).length;
const served: Rank = ({ ownerId }, seen) => seen.served.get(ownerId) ?? 0;
// Any order that keeps the documents of one owner together.
const owner: Rank = ({ ownerId }, { documents }) =>
  [...new Set([...documents.values()].map((other) => other.ownerId))].sort().indexOf(ownerId);
const received: Rank = ({ receivedAt }) => receivedAt;
const id: Rank = (document, { documents }) => [...documents.keys()].sort().indexOf(document.id);

/** How a claim is found: the lowest by `ranks`; what counts as a turn of the owner. */
interface Fairness {
  readonly ranks: readonly Rank[];
  readonly isTurn?: (before: Document | undefined, next: Document) => boolean;
  readonly forgetsOwners?: boolean;
}

const isClaim = (before: Document | undefined, next: Document): boolean =>
  next.status === 'processing' && !(before?.status === 'processing' && before.lease.token === next.lease.token);

const claiming = ({ ranks, isTurn = isClaim, forgetsOwners = false }: Fairness): Mutant<DocumentRepository> =>
  mutant(() => {
    const seen: Seen = { documents: new Map(), served: new Map() };
    let turn = 0;
    return (sound) => ({
      add: async (document) => {
        await sound.add(document);
        seen.documents.set(document.id, structuredClone(document));
      },
      replace: async (next) => {
        const done = await sound.replace(next);
        if (!done) return false;
        if (isTurn(seen.documents.get(next.id), next)) seen.served.set(next.ownerId, ++turn);
        seen.documents.set(next.id, structuredClone(next));
        return true;
      },
      remove: async (id) => {
        await sound.remove(id);
        if (forgetsOwners) seen.served.delete(seen.documents.get(id)?.ownerId ?? '');
        seen.documents.delete(id);
      },
      nextClaimable: async (now) => {
        const due = [...seen.documents.values()].filter((document) => isClaimable(document, now));
        const ranked = due.map((document) => ({ document, keys: ranks.map((rank) => rank(document, seen, now)) }));
        const [first] = ranked.sort((a, b) => {
          const at = a.keys.findIndex((key, i) => key !== b.keys[i]);
          return at < 0 ? 0 : (a.keys[at] ?? 0) < (b.keys[at] ?? 0) ? -1 : 1;
        });
        return structuredClone(first?.document);
      },
    });
  });

/** The repository that the mutants of fairness are made of passes the suite. */
export const plainClaims: Mutant<DocumentRepository> = claiming({ ranks: [inWork, served, owner, received, id] });

const plain = (change: (sound: DocumentRepository) => Partial<DocumentRepository>): Mutant<DocumentRepository> =>
  mutant(() => change);

/** Repositories that share work badly, by what is wrong with them. */
export const documentClaimMutants: Mutants<DocumentRepository> = {
  'gives what was received first, whoever owns it': claiming({ ranks: [received, id] }),
  'has no regard for what is in work': claiming({ ranks: [served, owner, received, id] }),
  'serves the busiest owner first': claiming({ ranks: [(...of) => -inWork(...of), served, owner, received, id] }),
  'counts expired leases as work': claiming({
    ranks: [
      ({ ownerId }, { documents }) =>
        [...documents.values()].filter((other) => other.ownerId === ownerId && other.status === 'processing').length,
      served,
      owner,
      received,
      id,
    ],
  }),
  'has no regard for who was served': claiming({ ranks: [inWork, owner, received, id] }),
  'breaks ties of owners by what was received first': claiming({ ranks: [inWork, received, id] }),
  'serves the owner first who was served last': claiming({
    ranks: [inWork, (...of) => -served(...of), owner, received, id],
  }),
  'serves an owner last who was never served': claiming({
    ranks: [inWork, ({ ownerId }, seen) => seen.served.get(ownerId) ?? Infinity, owner, received, id],
  }),
  'puts turns above work': claiming({ ranks: [served, inWork, owner, received, id] }),
  'gives the newest of an owner first': claiming({ ranks: [inWork, served, owner, (...of) => -received(...of), id] }),
  'gives the highest id of one moment first': claiming({
    ranks: [inWork, served, owner, received, (...of) => -id(...of)],
  }),
  'gives what is due first': claiming({
    ranks: [inWork, served, owner, (document) => (document.status === 'queued' ? document.notBefore : 0), received, id],
  }),
  'takes a heartbeat for a turn': claiming({
    ranks: [inWork, served, owner, received, id],
    isTurn: (_before, next) => next.status === 'processing',
  }),
  'takes no claim of an expired lease for a turn': claiming({
    ranks: [inWork, served, owner, received, id],
    isTurn: (before, next) => next.status === 'processing' && before?.status !== 'processing',
  }),
  'forgets who was served when the document is gone': claiming({
    ranks: [inWork, served, owner, received, id],
    forgetsOwners: true,
  }),
  'gives work a microsecond early': plain((sound) => ({ nextClaimable: (now) => sound.nextClaimable(now + 1) })),
  'gives work a microsecond late': plain((sound) => ({ nextClaimable: (now) => sound.nextClaimable(now - 1) })),
  'gives no work back whose lease expired': plain((sound) => ({
    nextClaimable: async (now) => {
      const next = await sound.nextClaimable(now);
      return next?.status === 'queued' ? next : undefined;
    },
  })),
  'gives work once, claimed or not': mutant(() => {
    const given = new Set<string>();
    return (sound) => ({
      nextClaimable: async (now) => {
        const next = await sound.nextClaimable(now);
        if (next === undefined || given.has(next.id)) return undefined;
        given.add(next.id);
        return next;
      },
    });
  }),
  'has handles that know their own turns alone': (openSound) => async () => {
    const opened = await claiming({ ranks: [inWork, served, owner, received, id] })(openSound)();
    const { openSecond } = opened;
    if (openSecond === undefined) throw new TypeError('This mutant needs a second handle');
    return {
      ...opened,
      openSecond: async () => {
        const second = await openSecond();
        return new Proxy(second, {
          get: (target, key) =>
            key === 'nextClaimable'
              ? async (now: Instant) =>
                  (await second.nextClaimable(now)) && (await second.list('a-served', { limit: 1, offset: 0 })).items[0]
              : Reflect.get(target, key),
        });
      },
    };
  },
};
