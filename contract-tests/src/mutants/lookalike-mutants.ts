import type {
  AccountRepository,
  AccountTokenRepository,
  DocumentRepository,
  IdempotencyRepository,
  MailLedger,
  PageRepository,
  RevisionRepository,
  SearchIndex,
  SessionRepository,
} from '@palimpsest/core';
import { mutant, type Mutants } from './mutant.ts';

/** What stores do to texts before they compare them, by what they are then blind to. */
const folds: Readonly<Record<string, (text: string) => string>> = {
  'in normal form': (text) => text.normalize('NFC'),
  'without accents': (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  'without regard to case': (text) => text.toLowerCase(),
  'without blanks at the end': (text) => text.trimEnd(),
  'by their first 255 characters': (text) => text.slice(0, 255),
  'without soft hyphens': (text) => text.replaceAll('\u00ad', ''),
};

/** Gives for each text the first one that was given and is the same when it is folded. */
type FirstAlike = (text: string) => string;

/** One mutant for each way to fold; `comparing` gives `sound` a comparison of its own. */
const folding = <T extends object>(
  what: string,
  comparing: (alike: FirstAlike) => (sound: T) => Partial<T>,
): Mutants<T> =>
  Object.fromEntries(
    Object.entries(folds).map(([how, fold]) => [
      `compares ${what} ${how}`,
      mutant<T>(() => {
        const firsts = new Map<string, string>();
        return comparing((text) => {
          const folded = fold(text);
          const first = firsts.get(folded) ?? text;
          firsts.set(folded, first);
          return first;
        });
      }),
    ]),
  );

/** Repositories that take texts for one another which only look alike. */
export const lookalikeMutants: Readonly<{
  documents: Mutants<DocumentRepository>;
  pages: Mutants<PageRepository>;
  revisions: Mutants<RevisionRepository>;
  searchIndex: Mutants<SearchIndex>;
  accounts: Mutants<AccountRepository>;
  sessions: Mutants<SessionRepository>;
  accountTokens: Mutants<AccountTokenRepository>;
  idempotency: Mutants<IdempotencyRepository>;
  mailLedger: Mutants<MailLedger>;
}> = {
  documents: {
    ...folding<DocumentRepository>('ids', (alike) => (sound) => ({
      add: (document) => sound.add({ ...document, id: alike(document.id) }),
      find: (id) => sound.find(alike(id)),
      replace: (next) => sound.replace({ ...next, id: alike(next.id) }),
      remove: (id) => sound.remove(alike(id)),
    })),
    ...folding<DocumentRepository>('owners', (alike) => (sound) => ({
      add: (document) => sound.add({ ...document, ownerId: alike(document.ownerId) }),
      list: (ownerId, page) => sound.list(alike(ownerId), page),
    })),
    ...folding<DocumentRepository>('blob keys', (alike) => (sound) => ({
      add: (document) => sound.add({ ...document, blobKey: alike(document.blobKey) }),
      referencedBlobs: async (keys) => {
        const found = await sound.referencedBlobs(keys.map(alike));
        return new Set(keys.filter((key) => found.has(alike(key))));
      },
    })),
  },
  pages: {
    ...folding<PageRepository>('documents', (alike) => (sound) => ({
      put: (id, run, page) => sound.put(alike(id), run, page),
      adopt: (id, run) => sound.adopt(alike(id), run),
      list: (id, run) => sound.list(alike(id), run),
      words: (id, run, number) => sound.words(alike(id), run, number),
      removeAll: (id) => sound.removeAll(alike(id)),
    })),
    ...folding<PageRepository>('runs', (alike) => (sound) => ({
      put: (id, run, page) => sound.put(id, alike(run), page),
      adopt: (id, run) => sound.adopt(id, alike(run)),
      list: (id, run) => sound.list(id, alike(run)),
      words: (id, run, number) => sound.words(id, alike(run), number),
    })),
  },
  revisions: folding<RevisionRepository>('documents', (alike) => (sound) => ({
    append: (id, revision, expectedNewest) => sound.append(alike(id), revision, expectedNewest),
    newest: (id) => sound.newest(alike(id)),
    find: (id, number) => sound.find(alike(id), number),
    list: (id) => sound.list(alike(id)),
    removeAll: (id) => sound.removeAll(alike(id)),
  })),
  searchIndex: {
    ...folding<SearchIndex>('documents', (alike) => (sound) => ({
      put: (entry) => sound.put({ ...entry, documentId: alike(entry.documentId) }),
      versionOf: (id) => sound.versionOf(alike(id)),
      remove: (id) => sound.remove(alike(id)),
    })),
    ...folding<SearchIndex>('owners', (alike) => (sound) => ({
      put: (entry) => sound.put({ ...entry, ownerId: alike(entry.ownerId) }),
      search: (ownerId, query, page) => sound.search(alike(ownerId), query, page),
    })),
  },
  accounts: {
    ...folding<AccountRepository>('ids', (alike) => (sound) => ({
      add: (account) => sound.add({ ...account, id: alike(account.id) }),
      find: (id) => sound.find(alike(id)),
      close: (id, closedAt) => sound.close(alike(id), closedAt),
    })),
    ...folding<AccountRepository>('addresses', (alike) => (sound) => ({
      add: (account) => sound.add({ ...account, email: alike(account.email) }),
      findByEmail: (email) => sound.findByEmail(alike(email)),
    })),
    ...folding<AccountRepository>('hashes of passwords', (alike) => (sound) => ({
      add: (account) => sound.add({ ...account, passwordHash: alike(account.passwordHash) }),
      changePassword: (id, from, to) => sound.changePassword(id, alike(from), alike(to)),
    })),
  },
  sessions: {
    ...folding<SessionRepository>('ids', (alike) => (sound) => ({
      add: (session) => sound.add({ ...session, id: alike(session.id) }),
      find: (id) => sound.find(alike(id)),
      rotate: (id, rotation) => sound.rotate(alike(id), rotation),
      remove: (id) => sound.remove(alike(id)),
    })),
    ...folding<SessionRepository>('accounts', (alike) => (sound) => ({
      add: (session) => sound.add({ ...session, accountId: alike(session.accountId) }),
      removeAllOf: (accountId, exceptId) => sound.removeAllOf(alike(accountId), exceptId),
    })),
  },
  accountTokens: {
    ...folding<AccountTokenRepository>('accounts', (alike) => (sound) => ({
      issue: (token) => sound.issue({ ...token, accountId: alike(token.accountId) }),
      removeAllOf: (accountId) => sound.removeAllOf(alike(accountId)),
    })),
    ...folding<AccountTokenRepository>('digests', (alike) => (sound) => ({
      issue: (token) => sound.issue({ ...token, digest: alike(token.digest) }),
      find: (digest, purpose) => sound.find(alike(digest), purpose),
      spend: (digest, purpose) => sound.spend(alike(digest), purpose),
    })),
  },
  idempotency: {
    ...folding<IdempotencyRepository>('accounts', (alike) => (sound) => ({
      begin: (request, now) => sound.begin({ ...request, accountId: alike(request.accountId) }, now),
      answer: (accountId, key, answer) => sound.answer(alike(accountId), key, answer),
      release: (accountId, key) => sound.release(alike(accountId), key),
      removeAllOf: (accountId) => sound.removeAllOf(alike(accountId)),
    })),
    ...folding<IdempotencyRepository>('keys', (alike) => (sound) => ({
      begin: (request, now) => sound.begin({ ...request, key: alike(request.key) }, now),
      answer: (accountId, key, answer) => sound.answer(accountId, alike(key), answer),
      release: (accountId, key) => sound.release(accountId, alike(key)),
    })),
    ...folding<IdempotencyRepository>('fingerprints', (alike) => (sound) => ({
      begin: (request, now) => sound.begin({ ...request, fingerprint: alike(request.fingerprint) }, now),
    })),
  },
  mailLedger: folding<MailLedger>('mails', (alike) => (sound) => ({
    begin: (mailId, now) => sound.begin(alike(mailId), now),
    finish: (mailId, outcome) => sound.finish(alike(mailId), outcome),
  })),
};
