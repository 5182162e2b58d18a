import type {
  AccountRepository,
  AccountTokenRepository,
  BlobStore,
  DocumentRepository,
  IdempotencyRepository,
  Instant,
  MailLedger,
  PageRepository,
  RecognizedPage,
  RevisionRepository,
  SearchIndex,
  SessionRepository,
} from '@palimpsest/core';
import type { TimedJobQueue } from '../job-queue/timed-job-queue.ts';
import { plainQueue, queueMutant } from './job-queue-mutants.ts';
import { mutant, type Mutants } from './mutant.ts';

const BATCH = 100;
const TIMER_MS = 2 ** 31 - 1;

const plain = <T extends object>(change: (sound: T) => Partial<T>) => mutant<T>(() => change);

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const first = <T>(items: readonly T[]): readonly T[] => items.slice(0, BATCH);

const insensitively = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

/** Sums up what of many things that expire is over; nothing is removed while there is more than one batch of it. */
const expiring = () => {
  const known = new Map<string, number>();
  return {
    note: (key: string, expiresAt: number) => void known.set(key, expiresAt),
    isMore: (now: number) => [...known.values()].filter((expiresAt) => expiresAt <= now).length > BATCH,
  };
};

/** Adapters that are right for few things, near moments and one caller. */
export const limitMutants: Readonly<{
  documents: Mutants<DocumentRepository>;
  pages: Mutants<PageRepository>;
  revisions: Mutants<RevisionRepository>;
  searchIndex: Mutants<SearchIndex>;
  accounts: Mutants<AccountRepository>;
  sessions: Mutants<SessionRepository>;
  accountTokens: Mutants<AccountTokenRepository>;
  idempotency: Mutants<IdempotencyRepository>;
  mailLedger: Mutants<MailLedger>;
  jobs: Mutants<TimedJobQueue>;
  blobs: Mutants<BlobStore>;
}> = {
  documents: {
    'loses a blob key at the end of each batch': plain((sound) => ({
      referencedBlobs: (keys) => sound.referencedBlobs(keys.filter((_, i) => i % BATCH !== BATCH - 1)),
    })),
    'scans in the order of a dictionary': plain((sound) => ({
      scan: async (after, limit) =>
        [...(await sound.scan(undefined, 10_000))]
          .sort((a, b) => insensitively(a.id, b.id))
          .filter(({ id }) => after === undefined || insensitively(after, id) < 0)
          .slice(0, limit),
    })),
    'counts what was listed before it was deleted': mutant(() => {
      const totals = new Map<string, number>();
      return (sound) => ({
        add: async (document) => {
          totals.clear();
          await sound.add(document);
        },
        list: async (ownerId, page) => {
          const { items, total } = await sound.list(ownerId, page);
          totals.set(ownerId, totals.get(ownerId) ?? total);
          return { items, total: totals.get(ownerId) ?? total };
        },
      });
    }),
    'claims by its own clock': plain((sound) => ({
      nextClaimable: (now) => sound.nextClaimable(Math.max(now, Date.now() * 1000)),
    })),
  },
  pages: {
    'lists a hundred pages': plain((sound) => ({ list: async (id, run) => first(await sound.list(id, run)) })),
    'tells of a hundred pages that it adopted': plain((sound) => ({
      adopt: async (id, run) => first(await sound.adopt(id, run)),
    })),
    'gives words line by line': plain((sound) => ({
      words: async (id, run, number) =>
        (await sound.words(id, run, number))?.toSorted((a, b) => a.line - b.line || a.bbox[0] - b.bbox[0]),
    })),
    'gives words block by block': plain((sound) => ({
      words: async (id, run, number) => (await sound.words(id, run, number))?.toSorted((a, b) => a.block - b.block),
    })),
    'keeps boxes as floats of 32 bits': plain((sound) => ({
      put: (id, run, page) => {
        const words = page.words.map((word) => ({
          ...word,
          bbox: word.bbox.map(Math.fround) as unknown as typeof word.bbox,
        }));
        return sound.put(id, run, { ...page, words });
      },
    })),
    'looks what the run has and then adopts': mutant(() => {
      const stored = new Map<string, RecognizedPage>();
      const keyOf = (id: string, run: string, number: number): string => JSON.stringify([id, run, number]);
      return (sound) => ({
        put: async (id, run, page) => {
          await sound.put(id, run, page);
          stored.set(keyOf(id, run, page.number), page);
        },
        adopt: async (id, run) => {
          const had = new Set((await sound.list(id, run)).map(({ number }) => number));
          const others = [...stored].filter(([key]) => {
            const [document, other, number] = JSON.parse(key) as [string, string, number];
            return document === id && other !== run && !had.has(number);
          });
          await aTurn();
          const numbers = await sound.adopt(id, run);
          for (const [key, page] of others) {
            stored.delete(key);
            await sound.put(id, run, page);
          }
          return numbers;
        },
      });
    }),
  },
  revisions: {
    'lists a hundred revisions': plain((sound) => ({ list: async (id) => first(await sound.list(id)) })),
    'stores no text that is the newest': plain((sound) => ({
      append: async (id, revision, expectedNewest) => {
        const newest = await sound.newest(id);
        const isSame = newest?.text === revision.text && newest.revisedAt === revision.revisedAt;
        return newest !== undefined && isSame ? newest : sound.append(id, revision, expectedNewest);
      },
    })),
    'takes the moment 0 for none': plain((sound) => ({
      append: (id, revision, expectedNewest) =>
        sound.append(id, { ...revision, revisedAt: revision.revisedAt || 1 }, expectedNewest),
    })),
  },
  searchIndex: {
    'counts a hundred': plain((sound) => ({
      search: async (ownerId, query, page) => {
        const { items, total } = await sound.search(ownerId, query, page);
        return { items, total: Math.min(BATCH, total) };
      },
    })),
  },
  accounts: {
    'reserves the address of an id that it refuses': mutant(() => {
      const reserved = new Set<string>();
      return (sound) => ({
        add: async (account) => {
          if (reserved.has(account.email)) return false;
          try {
            return await sound.add(account);
          } catch (error) {
            reserved.add(account.email);
            throw error;
          }
        },
      });
    }),
    'reserves the id of an address that it refuses': mutant(() => {
      const reserved = new Set<string>();
      return (sound) => ({
        add: async (account) => {
          if (reserved.has(account.id)) throw new TypeError('This id is taken');
          const done = await sound.add(account);
          if (!done) reserved.add(account.id);
          return done;
        },
      });
    }),
    'looks for the id and then stores': plain((sound) => ({
      add: async (account) => {
        const isTaken =
          (await sound.find(account.id)) !== undefined || (await sound.closed()).some(({ id }) => id === account.id);
        if (isTaken) throw new TypeError('This id is taken');
        await aTurn();
        return sound.add(account).catch(() => true);
      },
    })),
    'takes the moment 0 for none': plain((sound) => ({
      closed: async () => (await sound.closed()).filter(({ closedAt }) => closedAt),
    })),
  },
  sessions: {
    'looks for the id and then stores': plain((sound) => ({
      add: async (session) => {
        if ((await sound.find(session.id)) !== undefined) throw new TypeError('This id is taken');
        await aTurn();
        await sound.add(session).catch(() => undefined);
      },
    })),
    'ends a hundred sessions of an account': mutant(() => {
      const added = new Map<string, string>();
      return (sound) => ({
        add: async (session) => {
          await sound.add(session);
          added.set(session.id, session.accountId);
        },
        removeAllOf: async (accountId, exceptId) => {
          const ids = [...added].filter(([id, owner]) => owner === accountId && id !== exceptId).map(([id]) => id);
          for (const id of first(ids)) {
            await sound.remove(id);
            added.delete(id);
          }
        },
      });
    }),
    'removes none of more than a hundred that expired': mutant(() => {
      const { note, isMore } = expiring();
      return (sound) => ({
        add: async (session) => {
          await sound.add(session);
          note(session.id, session.expiresAt);
        },
        removeExpired: async (now) => (isMore(now) ? 0 : sound.removeExpired(now)),
      });
    }),
    'remembers 999 used-up tokens': mutant(() => {
      const used = new Map<string, readonly string[]>();
      return (sound) => ({
        rotate: async (id, rotation) => {
          const done = await sound.rotate(id, rotation);
          if (done) used.set(id, [...(used.get(id) ?? []), rotation.from].slice(-999));
          return done;
        },
        findByRefreshToken: async (digest) => {
          const found = await sound.findByRefreshToken(digest);
          const isForgotten = found?.usedAt !== undefined && used.get(found.session.id)?.includes(digest) !== true;
          return isForgotten ? undefined : found;
        },
      });
    }),
  },
  accountTokens: {
    'removes none of more than a hundred that expired': mutant(() => {
      const { note, isMore } = expiring();
      return (sound) => ({
        issue: async (token) => {
          const done = await sound.issue(token);
          if (done) note(token.accountId, token.expiresAt);
          return done;
        },
        removeExpired: async (moment) => (isMore(moment) ? 0 : sound.removeExpired(moment)),
      });
    }),
    'takes the moment of the same token anew': mutant(() => {
      const moments = new Map<string, Instant>();
      return (sound) => ({
        issue: async (token) => {
          const done = await sound.issue(token);
          if (done) moments.set(JSON.stringify([token.digest, token.purpose]), token.requestedAt);
          return done;
        },
        find: async (digest, purpose) => {
          const token = await sound.find(digest, purpose);
          return (
            token && { ...token, requestedAt: moments.get(JSON.stringify([digest, purpose])) ?? token.requestedAt }
          );
        },
      });
    }),
  },
  idempotency: {
    'forgets none of more than a hundred that expired': mutant(() => {
      const { note, isMore } = expiring();
      return (sound) => ({
        begin: async (request, now) => {
          note(JSON.stringify([request.accountId, request.key]), request.expiresAt);
          return sound.begin(request, now);
        },
        removeExpired: async (now) => (isMore(now) ? 0 : sound.removeExpired(now)),
      });
    }),
  },
  mailLedger: {
    'takes the moment 0 for none': plain((sound) => ({ begin: (mailId, now) => sound.begin(mailId, now || 1) })),
    'counts a hundred attempts': plain((sound) => ({
      begin: async (mailId, now) => {
        const record = await sound.begin(mailId, now);
        return { ...record, attempts: Math.min(BATCH, record.attempts) };
      },
    })),
    'forgets none of more than a hundred': mutant(() => {
      const { note, isMore } = expiring();
      return (sound) => ({
        begin: async (mailId, now) => {
          const record = await sound.begin(mailId, now);
          note(mailId, record.firstAttemptAt + 1);
          return record;
        },
        removeBefore: async (moment) => (isMore(moment) ? 0 : sound.removeBefore(moment)),
      });
    }),
  },
  jobs: {
    'takes equal jobs for one': queueMutant(() => {
      const known = new Set<string>();
      return (sound) => ({
        enqueue: async (kind, payload, notBefore) => {
          const job = JSON.stringify([kind, payload]);
          if (known.has(job)) return;
          known.add(job);
          await sound.enqueue(kind, payload, notBefore);
        },
      });
    }),
    'cuts kinds at 255 characters': plainQueue((sound) => ({
      enqueue: (kind, payload, notBefore) => sound.enqueue(kind.slice(0, 255), payload, notBefore),
    })),
    'runs jobs at once that are due beyond the range of a timer': plainQueue((sound, { now }) => ({
      enqueue: (kind, payload, notBefore = 0) =>
        sound.enqueue(kind, payload, (notBefore - now()) / 1000 > TIMER_MS ? undefined : notBefore),
    })),
  },
  blobs: {
    'lists a thousand blobs': plain((sound) => ({
      list: async function* () {
        let count = 0;
        for await (const info of sound.list()) if (++count <= 1000) yield info;
      },
    })),
    'takes an empty chunk for the end': plain((sound) => ({
      put: (key, source) => {
        const toTheFirstEmptyOne = async function* () {
          for await (const chunk of source) {
            if (chunk.length === 0) return;
            yield chunk;
          }
        };
        return sound.put(key, toTheFirstEmptyOne());
      },
    })),
    'tells the time in whole milliseconds': plain((sound) => ({
      stat: async (key) => {
        const info = await sound.stat(key);
        return info && { ...info, storedAt: Math.floor(info.storedAt / 1000) };
      },
      list: async function* () {
        for await (const info of sound.list()) yield { ...info, storedAt: Math.floor(info.storedAt / 1000) };
      },
    })),
    'remembers what it told of an earlier blob under the key': mutant(() => {
      const told = new Map<string, number>();
      return (sound) => ({
        stat: async (key) => {
          const info = await sound.stat(key);
          if (info !== undefined && !told.has(key)) told.set(key, info.byteSize);
          return info && { ...info, byteSize: told.get(key) ?? info.byteSize };
        },
      });
    }),
  },
};
