import { authenticate, refreshSession, REFRESH_TOKEN_TTL_MS, signIn, signOut } from '@palimpsest/core';
import { MemoryClock, MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { aMember, aWorld, codeOf, CREDENTIALS, instead, SOURCE, tally, times } from '../../world.ts';

const setUp = async () => {
  const { ports, memory } = aWorld();
  const { tokens, sessionId, accountId } = await aMember(ports);
  return {
    ports,
    clock: memory.clock,
    faults: memory.faults,
    refresh: refreshSession(ports),
    first: tokens,
    sessionId,
    accountId,
  };
};

describe('refreshSession', () => {
  it('returns new tokens of the same session, valid as long as after signing in', async () => {
    const { ports, clock, refresh, first, sessionId } = await setUp();
    clock.advance(REFRESH_TOKEN_TTL_MS - 1);
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.to.equal(first.refreshToken);
    expect(second.refreshToken).to.match(/^[\w-]{43}$/);
    expect(second.expiresInS).to.equal(3600);
    expect((await authenticate(ports)(second.accessToken)).sessionId).to.equal(sessionId);
    clock.advance(REFRESH_TOKEN_TTL_MS - 1);
    await refresh(second.refreshToken);
  });

  it('accepts a token until its session expires, then refuses it without a report', async () => {
    const { clock, refresh, first, faults } = await setUp();
    clock.advance(REFRESH_TOKEN_TTL_MS);
    expect(await codeOf(refresh(first.refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    expect(faults.reports).to.deep.equal([]);
  });

  it('returns the current token for a token that was used within 10 seconds, also after two rotations', async () => {
    const { ports, clock, refresh, first } = await setUp();
    const second = await refresh(first.refreshToken);
    clock.advance(5000);
    const third = await refresh(second.refreshToken);
    clock.advance(5000);
    for (const { refreshToken } of [first, second]) {
      const repeated = await refresh(refreshToken);
      expect(repeated.refreshToken).to.equal(third.refreshToken);
      await authenticate(ports)(repeated.accessToken);
    }
    await refresh(third.refreshToken);
  });

  it('ends the session and reports it for a token that was used more than 10 seconds ago', async () => {
    const { ports, clock, refresh, first, faults, sessionId } = await setUp();
    const second = await refresh(first.refreshToken);
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    clock.advance(10_001);
    expect(await codeOf(refresh(first.refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    for (const { refreshToken } of [first, second])
      expect(await codeOf(refresh(refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    for (const { accessToken } of [first, second])
      expect(await codeOf(authenticate(ports)(accessToken))).to.equal('INVALID_TOKEN');
    expect(faults.reports).to.have.length(1);
    expect(faults.reports[0]?.doing).to.include(sessionId).and.not.include(first.refreshToken);
    await authenticate(ports)((await refresh(other.refreshToken)).accessToken);
  });

  it('ends the session for a token that was replaced many times', async () => {
    const { ports, clock, refresh, first } = await setUp();
    let last = first;
    for (let i = 0; i < 150; i++) {
      clock.advance(3_600_000);
      last = await refresh(last.refreshToken);
    }
    expect(await codeOf(refresh(first.refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    expect(await codeOf(authenticate(ports)(last.accessToken))).to.equal('INVALID_TOKEN');
    expect(await codeOf(refresh(last.refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
  });

  it('refuses any unknown token', async () => {
    const { ports, refresh, first } = await setUp();
    const token = first.refreshToken;
    const unknown = [
      '',
      ' ',
      '\0',
      '\ud800',
      'x'.repeat(1_000_000),
      token.slice(0, -1),
      `${token}=`,
      ` ${token}`,
      token.toUpperCase(),
      ports.secretTokens.digest(token),
      first.accessToken,
    ];
    for (const given of unknown) expect(await codeOf(refresh(given))).to.equal('INVALID_REFRESH_TOKEN');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 42 }), fc.constantFrom(...'AZaz09-_'), async (at, character) => {
        fc.pre(token[at] !== character);
        expect(await codeOf(refresh(`${token.slice(0, at)}${character}${token.slice(at + 1)}`))).to.equal(
          'INVALID_REFRESH_TOKEN',
        );
      }),
    );
    await refresh(token);
  });

  it('refuses a token after signing out', async () => {
    const { ports, refresh, first, sessionId, accountId } = await setUp();
    const second = await refresh(first.refreshToken);
    await signOut(ports)({ sessionId, accountId });
    for (const { refreshToken } of [first, second])
      expect(await codeOf(refresh(refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
  });

  it('stores tokens only as digests', async () => {
    const store = new MemoryStore();
    const ports = openMemory(store);
    const { tokens } = await aMember(ports);
    const second = await refreshSession(ports)(tokens.refreshToken);
    const kept = JSON.stringify([...store.sessions, ...store.usedRefreshTokens]);
    expect(kept)
      .to.include(ports.secretTokens.digest(tokens.refreshToken))
      .and.include(ports.secretTokens.digest(second.refreshToken));
    for (const { refreshToken } of [tokens, second]) expect(kept).not.to.include(refreshToken);
  });
});

describe('concurrent uses of a refresh token', () => {
  for (const count of [1, 2]) {
    it(`return the same working token (${count} ${count === 1 ? 'process' : 'processes'})`, async () => {
      const store = new MemoryStore();
      const clock = new MemoryClock();
      const ports = openMemory(store, { clock });
      const { tokens } = await aMember(ports);
      const slow = times(count, () => {
        const own = openMemory(store, { clock });
        const pause = () =>
          new Promise((resolve) => {
            setImmediate(resolve);
          });
        const sessions = instead(own.sessions, {
          rotate: async (id, rotation) => {
            await pause();
            return own.sessions.rotate(id, rotation);
          },
          findByRefreshToken: async (digest) => {
            await pause();
            return own.sessions.findByRefreshToken(digest);
          },
        });
        return refreshSession({ ...own, sessions });
      });
      const pairs = await Promise.all(
        times(50, (i) => slow[i % count]?.(tokens.refreshToken) ?? expect.fail('no process')),
      );
      expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).to.equal(1);
      expect(store.sessions.size).to.equal(1);
      clock.advance(60_000);
      await refreshSession(ports)(pairs[0]?.refreshToken ?? '');
    });
  }

  it('leave no session if the account signs out everywhere meanwhile', async () => {
    const { ports, first, accountId } = await setUp();
    const sessions = instead(ports.sessions, {
      rotate: async (id, rotation) => {
        await ports.sessions.removeAllOf(accountId);
        return ports.sessions.rotate(id, rotation);
      },
    });
    expect(await tally(times(10, () => refreshSession({ ...ports, sessions })(first.refreshToken)))).to.deep.equal({
      INVALID_REFRESH_TOKEN: 10,
    });
    expect(await codeOf(authenticate(ports)(first.accessToken))).to.equal('INVALID_TOKEN');
  });

  it('return the same token to a repeat after the process died before its response', async () => {
    const store = new MemoryStore();
    const clock = new MemoryClock();
    const { tokens } = await aMember(openMemory(store, { clock }));
    const lost = await refreshSession(openMemory(store, { clock }))(tokens.refreshToken);
    clock.advance(10_000);
    const repeated = await refreshSession(openMemory(store, { clock }))(tokens.refreshToken);
    expect(repeated.refreshToken).to.equal(lost.refreshToken);
    expect(store.sessions.size).to.equal(1);
  });
});
