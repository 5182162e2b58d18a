import {
  authenticate,
  closeAccount,
  emailDocument,
  forgotPassword,
  refreshSession,
  registerAccount,
  resendVerification,
  reviseOcr,
  signIn,
  cleanUp,
  removeOrphanedFiles,
  uploadDocument,
  type Document,
  type Ports,
} from '@palimpsest/core';
import { MemoryStore, openMemory, toyFile, type MemoryPorts } from '@palimpsest/memory';
import { expect } from 'chai';
import { aMember, aWorld, codeOf, CREDENTIALS, deliverMails, instead, SOURCE, watched } from '../../world.ts';

const PAGE = { pages: [{ text: 'words' }] };
const DAY_MS = 24 * 3_600_000;

/**
 * Two accounts with documents, sessions, tokens, revisions and idempotency keys. Only the account of ada also has a
 * queued document and one that a worker holds.
 */
const setUp = async () => {
  const store = new MemoryStore();
  const memory = openMemory(store);
  const world = aWorld(memory, undefined, memory);
  const ports: MemoryPorts = memory;
  const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
  const ada = await aMember(ports);
  const tokens = [ada.tokens, await signIn(ports)(CREDENTIALS, SOURCE)];
  await deliverMails(ports);
  const own = async (owner: typeof ada): Promise<Document> => {
    const completed = await world.upload(PAGE, owner);
    await world.recognize(await world.claim());
    await reviseOcr(ports)(owner, completed.id, 'corrected');
    await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] }, owner);
    await world.recognize(await world.claim());
    await emailDocument(ports)(owner, completed.id, SOURCE, 'a-key');
    return completed;
  };
  const bobs = await own(bob);
  await own(ada);
  await forgotPassword(ports)(ada.email, SOURCE);
  await deliverMails(ports);
  await world.upload(PAGE, ada);
  const held = await world.claim();
  await world.upload(PAGE, ada);
  const idsOf = (id: string): string[] =>
    [...store.documents.values()].filter(({ ownerId }) => ownerId === id).map((document) => document.id);
  const documentIds = idsOf(ada.accountId);
  const blobKeys = documentIds.map((id) => store.documents.get(id)?.blobKey ?? '');
  /** The stores that still contain data of the account. Jobs are not searched: without the account they have no effect. */
  const traces = (): string[] => {
    const names: (keyof MemoryStore)[] = [
      'documents',
      'pages',
      'revisions',
      'accounts',
      'closedAccounts',
      'sessions',
      'usedRefreshTokens',
      'accountTokens',
      'keys',
      'searchEntries',
      'blobs',
    ];
    return names.filter((name) =>
      [ada.accountId, ...documentIds, ...blobKeys, ada.email].some((word) =>
        JSON.stringify([...(store[name] as Map<string, unknown>)]).includes(word),
      ),
    );
  };
  return { store, world, ports, clock: memory.clock, ada, bob, bobs, tokens, held, documentIds, traces };
};

const cleanUpAll = async (ports: Ports): Promise<void> => {
  await cleanUp(ports)();
  await removeOrphanedFiles(ports)();
};

describe('closeAccount', () => {
  it('removes the account and its data at once, except a document that a worker holds', async () => {
    const { ports, ada, held, store, traces, tokens } = await setUp();
    expect(store.documents.size).to.equal(6);
    await closeAccount(ports)(ada, ada.password, SOURCE);
    for (const { accessToken, refreshToken } of tokens) {
      expect(await codeOf(authenticate(ports)(accessToken))).to.equal('INVALID_TOKEN');
      expect(await codeOf(refreshSession(ports)(refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    }
    expect(await codeOf(signIn(ports)(CREDENTIALS, SOURCE))).to.equal('INVALID_CREDENTIALS');
    expect(
      [...store.documents.values()].filter(({ ownerId }) => ownerId === ada.accountId).map(({ id }) => id),
    ).to.deep.equal([held.id]);
    expect((await ports.documents.list(ada.accountId, { limit: 9, offset: 0 })).total).to.equal(0);
    expect(traces()).to.deep.equal(['documents', 'closedAccounts', 'blobs']);
  });

  it('leaves the document that a worker holds to the cleanup job, which removes it when the lease has expired', async () => {
    const { ports, ada, held, clock, traces } = await setUp();
    await closeAccount(ports)(ada, ada.password, SOURCE);
    expect(await cleanUp(ports)()).to.include({ documentsPurged: 0, accountsRemoved: 0 });
    clock.set(held.lease.expiresAt);
    expect(await cleanUp(ports)()).to.include({ documentsPurged: 1, accountsRemoved: 0 });
    expect(traces()).to.deep.equal(['closedAccounts']);
  });

  it('keeps the id of the account for a day', async () => {
    const { ports, ada, clock, traces } = await setUp();
    await closeAccount(ports)(ada, ada.password, SOURCE);
    clock.advance(DAY_MS - 1);
    expect((await cleanUp(ports)()).accountsRemoved).to.equal(0);
    expect(traces()).to.deep.equal(['closedAccounts']);
    clock.advance(1);
    expect((await cleanUp(ports)()).accountsRemoved).to.equal(1);
    expect(traces()).to.deep.equal([]);
    expect((await cleanUp(ports)()).accountsRemoved).to.equal(0);
  });

  it('keeps the data of other accounts', async () => {
    const { ports, ada, bob, bobs, clock } = await setUp();
    await closeAccount(ports)(ada, ada.password, SOURCE);
    clock.advance(60_000);
    await cleanUpAll(ports);
    await authenticate(ports)(bob.tokens.accessToken);
    expect((await ports.documents.list(bob.accountId, { limit: 9, offset: 0 })).total).to.equal(2);
    expect(await ports.blobs.stat(bobs.blobKey)).not.to.equal(undefined);
    expect((await ports.revisions.newest(bobs.id))?.text).to.equal('corrected');
  });

  it('frees the address for a new account, which gets no earlier data', async () => {
    const { ports, ada, clock } = await setUp();
    await closeAccount(ports)(ada, ada.password, SOURCE);
    await registerAccount(ports)({ ...CREDENTIALS, password: 'another horse' }, SOURCE);
    const { accessToken } = await signIn(ports)({ ...CREDENTIALS, password: 'another horse' }, SOURCE);
    const { accountId } = await authenticate(ports)(accessToken);
    expect(accountId).not.to.equal(ada.accountId);
    clock.advance(1000);
    await cleanUpAll(ports);
    expect((await ports.accounts.findByEmail(CREDENTIALS.email))?.id).to.equal(accountId);
    expect((await ports.documents.list(accountId, { limit: 9, offset: 0 })).total).to.equal(0);
    await authenticate(ports)(accessToken);
  });

  it('needs the password, and is blocked after three wrong ones', async () => {
    const { ports, ada, store } = await setUp();
    const close = closeAccount(ports);
    for (let i = 0; i < 3; i++) expect(await codeOf(close(ada, 'wrong horse', SOURCE))).to.equal('INVALID_CREDENTIALS');
    expect(await codeOf(close(ada, ada.password, SOURCE))).to.equal('RATE_LIMITED');
    expect(store.documents.size).to.equal(6);
    await signIn(ports)(CREDENTIALS, SOURCE);
  });

  it('succeeds in each of several concurrent calls', async () => {
    const { ports, ada, traces, clock } = await setUp();
    const close = closeAccount(ports);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        close(ada, ada.password, SOURCE).then(
          () => 'ok',
          (error: { code?: unknown }) => error.code,
        ),
      ),
    );
    expect(outcomes[0]).to.equal('ok');
    expect(new Set(outcomes)).to.have.property('size').that.is.at.most(2);
    clock.advance(60_000);
    await cleanUp(ports)();
    expect(traces()).to.deep.equal(['closedAccounts']);
  });

  it('removes hundreds of documents', async () => {
    const { ports, world, ada, traces, clock } = await setUp();
    for (let i = 0; i < 250; i++) await world.upload(PAGE, ada);
    await closeAccount(ports)(ada, ada.password, SOURCE);
    clock.advance(60_000);
    await cleanUp(ports)();
    expect(traces()).to.deep.equal(['closedAccounts']);
  });

  it('drops the mails that are still to be sent', async () => {
    const { ports, ada, clock } = await setUp();
    clock.advance(60_000);
    await forgotPassword(ports)(ada.email, SOURCE);
    await resendVerification(ports)(ada, SOURCE);
    await closeAccount(ports)(ada, ada.password, SOURCE);
    expect(await ports.jobs.countWaiting('send-mail')).to.equal(2);
    expect(await deliverMails(ports)).to.deep.equal([]);
  });
});

describe('an interrupted closeAccount', () => {
  it('leaves the account unchanged, or closed with data that the cleanup job removes, at every step', async () => {
    let steps = 0;
    const counting = await setUp();
    await closeAccount(watched(counting.ports, () => steps++))(counting.ada, counting.ada.password, SOURCE);
    expect(steps).to.be.greaterThan(20);
    for (let dieAt = 1; dieAt <= steps; dieAt++) {
      const { ports, ada, clock, traces } = await setUp();
      let step = 0;
      // From this step on, every call to a port fails in this process.
      const dying = watched(ports, () => {
        if (++step >= dieAt) throw new Error('the process died');
      });
      await closeAccount(dying)(ada, ada.password, SOURCE).catch(() => undefined);
      if (await ports.accounts.find(ada.accountId)) {
        expect((await ports.documents.list(ada.accountId, { limit: 9, offset: 0 })).total).to.equal(4);
        continue;
      }
      clock.advance(60_000);
      await cleanUp(ports)();
      expect(traces(), `after step ${dieAt}`).to.deep.equal(['closedAccounts']);
      expect(await codeOf(authenticate(ports)(ada.tokens.accessToken))).to.equal('INVALID_TOKEN');
    }
  });

  it('succeeds and reports a failure of the removal', async () => {
    const { ports, ada } = await setUp();
    const blobs = instead(ports.blobs, { delete: () => Promise.reject(new Error('no disk')) });
    await closeAccount({ ...ports, blobs })(ada, ada.password, SOURCE);
    expect(ports.faults.reports.map(({ error }) => String(error))).to.deep.equal(['Error: no disk']);
  });

  it('is finished by the next cleanup if a cleanup was interrupted at any step', async () => {
    const aClosedAccount = async () => {
      const set = await setUp();
      await set.ports.accounts.close(set.ada.accountId, set.clock.now());
      set.clock.advance(60_000);
      return set;
    };
    let steps = 0;
    const counting = await aClosedAccount();
    await cleanUp(watched(counting.ports, () => steps++))();
    for (let dieAt = 1; dieAt <= steps; dieAt++) {
      const { ports, traces } = await aClosedAccount();
      let step = 0;
      const dying = watched(ports, () => {
        if (++step === dieAt) throw new Error('the process died');
      });
      await codeOf(cleanUp(dying)());
      await cleanUp(ports)();
      expect(traces(), `after step ${dieAt}`).to.deep.equal(['closedAccounts']);
    }
  });
});

describe('data that arrives after an account was closed', () => {
  it('is removed by the cleanup job: an upload', async () => {
    const { ports, world, ada, traces, clock } = await setUp();
    const file = await world.receive(toyFile(PAGE));
    await closeAccount(ports)(ada, ada.password, SOURCE);
    const late = await uploadDocument(ports)({ actor: ada, file, filename: 'late.pdf' });
    clock.advance(60_000);
    await cleanUp(ports)();
    expect(traces()).to.deep.equal(['closedAccounts']);
    expect(await ports.blobs.stat(file.blobKey)).to.equal(undefined);
    expect(await ports.documents.find(late.id)).to.equal(undefined);
  });

  it('is removed by the cleanup job: a session, a mailed token and an idempotency key', async () => {
    const { ports, ada, traces, clock } = await setUp();
    await closeAccount(ports)(ada, ada.password, SOURCE);
    const now = clock.now();
    await ports.sessions.add({
      id: 'late',
      accountId: ada.accountId,
      refreshTokenDigest: 'd',
      createdAt: now,
      expiresAt: now + DAY_MS * 1e6,
    });
    await ports.accountTokens.issue({
      accountId: ada.accountId,
      purpose: 'verify-email',
      digest: 'd',
      requestedAt: now,
      expiresAt: now + DAY_MS * 1e6,
    });
    await ports.idempotency.begin(
      {
        accountId: ada.accountId,
        key: 'k',
        fingerprint: 'f',
        resourceId: 'r',
        heldUntil: now + 1,
        expiresAt: now + DAY_MS * 1e6,
      },
      now,
    );
    clock.advance(60_000);
    await cleanUp(ports)();
    expect(traces()).to.deep.equal(['closedAccounts']);
  });
});
