import { authenticate, closeAccount, type LimitState, signIn, signOut } from '@palimpsest/core';
import { MemoryClock, MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { aMember, aWorld, codeOf, CREDENTIALS, instead, refusalOf, SOURCE, tally, times } from '../../world.ts';

const WRONG = { ...CREDENTIALS, password: 'wrong horse' };
const UNKNOWN = { ...WRONG, email: 'nobody@example.org' };

const setUp = async () => {
  const { ports, memory } = aWorld();
  const member = await aMember(ports);
  return { ports, clock: memory.clock, member };
};

describe('signIn', () => {
  it('refuses a wrong password, an unknown address and an invalid address in the same way', async () => {
    const { ports } = await setUp();
    const refusals = [WRONG, UNKNOWN, { ...WRONG, email: 'no address' }, { ...WRONG, email: '' }].map((given) =>
      refusalOf(signIn(ports)(given, SOURCE)),
    );
    const seen = new Set(
      (await Promise.all(refusals)).map(({ code, message, retryAfterMs }) =>
        JSON.stringify([code, message, retryAfterMs]),
      ),
    );
    expect(seen).to.have.lengthOf(1);
    expect([...seen][0]).to.include('INVALID_CREDENTIALS');
  });

  it('limits known and unknown addresses with the same waits and the same headers', async () => {
    const { ports } = await setUp();
    const sign = signIn(ports);
    const story = async (given: typeof WRONG, client: string) => {
      const seen: unknown[] = [];
      const onLimits = (states: readonly LimitState[]): unknown => seen.push(states);
      for (let i = 0; i < 7; i++) {
        const { code, message, retryAfterMs } = await refusalOf(sign(given, { client, onLimits }));
        seen.push([code, message, retryAfterMs]);
      }
      return seen;
    };
    const known = await story(WRONG, 'c1');
    expect(known).to.deep.equal(await story(UNKNOWN, 'c2'));
    expect(known.filter((entry) => JSON.stringify(entry).includes('RATE_LIMITED'))).to.have.length(4);
  });

  it('hashes once at each attempt for known and unknown addresses, and never while blocked', async () => {
    const { ports } = await setUp();
    let hashed = 0;
    const passwordHasher = instead(ports.passwordHasher, {
      verify: async () => {
        hashed++;
        return false;
      },
    });
    for (const [i, given] of [WRONG, UNKNOWN, { ...WRONG, email: 'no address' }].entries()) {
      const sign = signIn({ ...ports, passwordHasher });
      for (let n = 0; n < 6; n++) await codeOf(sign(given, { client: `c${i}` }));
      expect(hashed).to.equal(3 * (i + 1));
    }
  });

  it('counts all spellings of an address as one', async () => {
    const { ports } = await setUp();
    const sign = signIn(ports);
    for (const email of ['ada@example.org', ' ADA@example.org', 'Ada@EXAMPLE.ORG\n'])
      expect(await codeOf(sign({ ...WRONG, email }, SOURCE))).to.equal('INVALID_CREDENTIALS');
    for (const email of ['ada@example.org', 'aDa@example.org '])
      expect(await codeOf(sign({ ...CREDENTIALS, email }, SOURCE))).to.equal('RATE_LIMITED');
  });

  it('blocks one client, and the owner can still sign in from another', async () => {
    const { ports, clock } = await setUp();
    const sign = signIn(ports);
    expect(await tally(times(100, () => sign(WRONG, SOURCE)))).to.deep.equal({
      INVALID_CREDENTIALS: 3,
      RATE_LIMITED: 97,
    });
    expect(await codeOf(sign(CREDENTIALS, SOURCE))).to.equal('RATE_LIMITED');
    expect((await sign(CREDENTIALS, { client: 'home' })).expiresInS).to.equal(3600);
    expect(await codeOf(sign(CREDENTIALS, SOURCE))).to.equal('RATE_LIMITED');
    clock.advance(15_000);
    await sign(CREDENTIALS, SOURCE);
  });

  it('stays blocked after a restart and in another process', async () => {
    const store = new MemoryStore();
    const clock = new MemoryClock();
    const ports = openMemory(store, { clock });
    await aMember(ports);
    for (let i = 0; i < 3; i++) await codeOf(signIn(ports)(WRONG, SOURCE));
    expect(await codeOf(signIn(openMemory(store, { clock }))(CREDENTIALS, SOURCE))).to.equal('RATE_LIMITED');
  });

  it('allows 50 failures an hour for one address from all clients together', async () => {
    const { ports, clock } = await setUp();
    const sign = signIn(ports);
    expect(await tally(times(100, (i) => sign(WRONG, { client: `c${i}` })))).to.deep.equal({
      INVALID_CREDENTIALS: 50,
      RATE_LIMITED: 50,
    });
    expect((await refusalOf(sign(CREDENTIALS, { client: 'home' }))).retryAfterMs).to.equal(3_600_000);
    clock.advance(3_600_000);
    await sign(CREDENTIALS, { client: 'home' });
  });

  it('allows 100 failures an hour from one client for all addresses, and any number of successes', async () => {
    const { ports } = await setUp();
    const sign = signIn(ports);
    for (let i = 0; i < 120; i++) await sign(CREDENTIALS, SOURCE);
    expect(await tally(times(150, (i) => sign({ ...WRONG, email: `a${i}@example.org` }, SOURCE)))).to.deep.equal({
      INVALID_CREDENTIALS: 100,
      RATE_LIMITED: 50,
    });
    expect(await codeOf(sign(CREDENTIALS, SOURCE))).to.equal('RATE_LIMITED');
    await sign(CREDENTIALS, { client: 'home' });
  });

  it('succeeds twenty times concurrently', async () => {
    const { ports } = await setUp();
    const sign = signIn(ports);
    const tokens = await Promise.all(times(20, () => sign(CREDENTIALS, SOURCE)));
    expect(new Set(tokens.map(({ refreshToken }) => refreshToken)).size).to.equal(20);
    for (const { accessToken } of tokens) await authenticate(ports)(accessToken);
  });

  it('stores no address in a counter', async () => {
    const keys: string[] = [];
    const { ports } = aWorld();
    const rateCounters = instead(ports.rateCounters, {
      hit: (key, windowMs) => {
        keys.push(key);
        return ports.rateCounters.hit(key, windowMs);
      },
    });
    await codeOf(signIn({ ...ports, rateCounters })(WRONG, SOURCE));
    expect(keys.length).to.be.greaterThan(2);
    expect(keys.join()).not.to.include('ada').and.not.to.include('@');
  });
});

describe('signIn during a change of the account', () => {
  it('leaves no session if the password was changed after its check', async () => {
    const { ports, member } = await setUp();
    const passwordHasher = instead(ports.passwordHasher, {
      verify: async (password, hash) => {
        const isRight = await ports.passwordHasher.verify(password, hash);
        await ports.accounts.changePassword(member.accountId, hash ?? '', 'another');
        await ports.sessions.removeAllOf(member.accountId);
        return isRight;
      },
    });
    const added: string[] = [];
    const sessions = instead(ports.sessions, {
      add: (session) => {
        added.push(session.id);
        return ports.sessions.add(session);
      },
    });
    expect(await codeOf(signIn({ ...ports, passwordHasher, sessions })(CREDENTIALS, SOURCE))).to.equal(
      'INVALID_CREDENTIALS',
    );
    expect(added).to.have.length(1);
    expect(await ports.sessions.find(added[0] ?? '')).to.equal(undefined);
  });

  it('leaves no session if the account was closed just before the session started', async () => {
    const { ports, member } = await setUp();
    const added: string[] = [];
    const sessions = instead(ports.sessions, {
      add: async (session) => {
        await closeAccount(ports)(member, CREDENTIALS.password, SOURCE);
        added.push(session.id);
        await ports.sessions.add(session);
      },
    });
    expect(await codeOf(signIn({ ...ports, sessions })(CREDENTIALS, SOURCE))).to.equal('INVALID_CREDENTIALS');
    expect(await ports.sessions.find(added[0] ?? '')).to.equal(undefined);
  });

  it('does not count an attempt that failed', async () => {
    const { ports } = await setUp();
    const accounts = instead(ports.accounts, { findByEmail: () => Promise.reject(new Error('no database')) });
    const broken = signIn({ ...ports, accounts });
    for (let i = 0; i < 10; i++) expect(await codeOf(broken(WRONG, SOURCE))).to.have.property('message', 'no database');
    for (let i = 0; i < 3; i++) expect(await codeOf(signIn(ports)(WRONG, SOURCE))).to.equal('INVALID_CREDENTIALS');
  });
});

describe('signOut', () => {
  it('ends only the caller’s session, at once', async () => {
    const { ports, member } = await setUp();
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    await signOut(ports)(member);
    expect(await codeOf(authenticate(ports)(member.tokens.accessToken))).to.equal('INVALID_TOKEN');
    await authenticate(ports)(other.accessToken);
    await signOut(ports)(member);
  });

  it('ends all sessions of the account, and of no other, with `all`', async () => {
    const { ports, member } = await setUp();
    const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    await signOut(ports)(member, { all: true });
    for (const { accessToken } of [member.tokens, other])
      expect(await codeOf(authenticate(ports)(accessToken))).to.equal('INVALID_TOKEN');
    await authenticate(ports)(bob.tokens.accessToken);
  });
});
