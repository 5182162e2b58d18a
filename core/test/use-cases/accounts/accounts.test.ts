import { expect } from 'chai';
import {
  ACCESS_TOKEN_TTL_MS,
  authenticate,
  plusMs,
  REFRESH_TOKEN_TTL_MS,
  registerAccount,
  signIn,
} from '@palimpsest/core';
import { aWorld, codeOf, CREDENTIALS, SOURCE } from '../../world.ts';

describe('accounts and sessions', () => {
  it('are registered once for each address', async () => {
    const { ports } = aWorld();
    await registerAccount(ports)(CREDENTIALS, SOURCE);
    const account = await ports.accounts.findByEmail('ada@example.org');
    await registerAccount(ports)({ email: ' ADA@example.ORG', password: 'another horse' }, SOURCE);
    expect(await ports.accounts.findByEmail('ada@example.org')).to.deep.equal(account);
    expect(account).to.include({ email: 'ada@example.org', emailVerified: false });
    expect(account?.passwordHash).not.to.include(CREDENTIALS.password);
  });

  it('sign in only with the right password, and get tokens of their account', async () => {
    const { ports } = aWorld();
    await registerAccount(ports)(CREDENTIALS, SOURCE);
    const { accessToken, refreshToken, expiresInS } = await signIn(ports)(CREDENTIALS, SOURCE);
    const account = await ports.accounts.findByEmail('ada@example.org');
    const claims = await authenticate(ports)(accessToken);
    expect(claims.accountId).to.equal(account?.id);
    expect(expiresInS).to.equal(3600);
    expect((await ports.sessions.find(claims.sessionId))?.refreshTokenDigest).to.equal(
      ports.secretTokens.digest(refreshToken),
    );
    for (const wrong of [
      { password: 'wrong horse' },
      { email: 'bob@example.org' },
      { email: 'nobody' },
      { password: '' },
    ]) {
      expect(await codeOf(signIn(ports)({ ...CREDENTIALS, ...wrong }, SOURCE))).to.equal('INVALID_CREDENTIALS');
    }
  });

  it('hash a password for an unknown address too, so that it takes equally long', async () => {
    const { ports } = aWorld();
    const verified: (string | undefined)[] = [];
    const passwordHasher = {
      hash: (password: string) => ports.passwordHasher.hash(password),
      verify: async (_password: string, hash: string | undefined) => {
        verified.push(hash);
        return false;
      },
    };
    for (const email of ['unknown@example.org', 'no address'])
      await codeOf(signIn({ ...ports, passwordHasher })({ ...CREDENTIALS, email }, SOURCE));
    expect(verified).to.deep.equal([undefined, undefined]);
  });

  it('accept composed and decomposed letters as the same password', async () => {
    const { ports } = aWorld();
    await registerAccount(ports)({ ...CREDENTIALS, password: 'caf\u00e9 horse' }, SOURCE);
    expect((await signIn(ports)({ ...CREDENTIALS, password: 'cafe\u0301 horse' }, SOURCE)).expiresInS).to.equal(3600);
  });

  it('lose access when the token expires or the session ends', async () => {
    const { ports, memory } = aWorld();
    await registerAccount(ports)(CREDENTIALS, SOURCE);
    const first = await signIn(ports)(CREDENTIALS, SOURCE);
    const { sessionId, accountId } = await authenticate(ports)(first.accessToken);
    await ports.sessions.remove(sessionId);
    expect(await codeOf(authenticate(ports)(first.accessToken))).to.equal('INVALID_TOKEN');
    const second = await signIn(ports)(CREDENTIALS, SOURCE);
    memory.clock.advance(ACCESS_TOKEN_TTL_MS);
    expect(await codeOf(authenticate(ports)(second.accessToken))).to.equal('TOKEN_EXPIRED');
    const { accessToken } = await signIn(ports)(CREDENTIALS, SOURCE);
    await ports.sessions.removeAllOf(accountId);
    expect(await codeOf(authenticate(ports)(accessToken))).to.equal('INVALID_TOKEN');
  });

  it('lose access when the session has expired, even with a valid token', async () => {
    const { ports, memory } = aWorld();
    await registerAccount(ports)(CREDENTIALS, SOURCE);
    const claims = await authenticate(ports)((await signIn(ports)(CREDENTIALS, SOURCE)).accessToken);
    const now = memory.clock.now();
    const endless = ports.accessTokens.sign(claims, now, plusMs(now, 2 * REFRESH_TOKEN_TTL_MS));
    memory.clock.advance(REFRESH_TOKEN_TTL_MS - 1);
    expect(await authenticate(ports)(endless)).to.deep.equal(claims);
    memory.clock.advance(1);
    expect(await codeOf(authenticate(ports)(endless))).to.equal('INVALID_TOKEN');
  });
});
