import { createHash } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { aUser, describeWithService, login, newestMail, register, tokenIn, type Tokens } from '../timed-service.ts';
import { PASSWORD, refusal } from '../service.ts';

describeWithService('sessions and refresh tokens', (service) => {
  let user: Tokens & { email: string };

  before(async () => {
    user = await aUser(service());
  });

  const me = (token: string): Promise<Response> => service().send('/v1/auth/me', undefined, { method: 'GET', token });
  const refresh = (token: unknown): Promise<Response> => service().send('/v1/auth/refresh', { refresh_token: token });

  const expectInvalid = async (token: string, code = 'INVALID_TOKEN'): Promise<void> => {
    const response = await me(token);
    expect(response.headers.get('www-authenticate'), token.slice(0, 200)).to.match(/^Bearer/);
    expect(await refusal(response), token.slice(0, 200)).to.include({ status: 401, code });
  };

  it('logout revokes the tokens of one session, and with all: true those of every session', async () => {
    const [ended, kept] = [await login(service(), user.email), await login(service(), user.email)];
    const answer = await service().send('/v1/auth/logout', undefined, { token: ended.access_token });
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
    await expectInvalid(ended.access_token);
    expect(await refusal(await refresh(ended.refresh_token))).to.include({
      status: 401,
      code: 'INVALID_REFRESH_TOKEN',
    });
    expect((await me(kept.access_token)).status).to.equal(200);
    await service().send('/v1/auth/logout', { all: true }, { token: kept.access_token });
    for (const { access_token: token } of [kept, user]) await expectInvalid(token);
    expect((await refresh(kept.refresh_token)).status).to.equal(401);
    user = { ...user, ...(await login(service(), user.email)) };
  });

  it('a password reset revokes the tokens of every session', async () => {
    const owner = await aUser(service());
    const sessions = [owner, await login(service(), owner.email), await login(service(), owner.email)];
    await service().send('/v1/auth/forgot-password', { email: owner.email });
    const token = tokenIn(await newestMail(service(), owner.email, 'Reset'));
    expect(
      (await service().send('/v1/auth/reset-password', { token, password: 'a wholly new password' })).status,
    ).to.equal(200);
    for (const session of sessions) {
      await expectInvalid(session.access_token);
      expect((await refresh(session.refresh_token)).status).to.equal(401);
    }
    expect((await service().send('/v1/auth/login', { email: owner.email, password: PASSWORD })).status).to.equal(401);
    await login(service(), owner.email, 'a wholly new password');
  });

  it('after account deletion every endpoint refuses the tokens of the account, and the address can register again', async () => {
    const owner = await aUser(service());
    const second = await login(service(), owner.email);
    const answer = await service().send(
      '/v1/auth/me',
      { password: PASSWORD },
      { method: 'DELETE', token: owner.access_token },
    );
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
    const id = '0190a000-0000-7000-8000-000000000000';
    for (const [method, path] of [
      ['GET', '/v1/auth/me'],
      ['POST', '/v1/auth/logout'],
      ['POST', '/v1/auth/change-password'],
      ['POST', '/v1/auth/resend-verification'],
      ['DELETE', '/v1/auth/me'],
      ['GET', '/v1/documents'],
      ['POST', '/v1/documents'],
      ['GET', `/v1/documents/${id}`],
      ['DELETE', `/v1/documents/${id}`],
      ['GET', `/v1/documents/${id}/download`],
      ['POST', `/v1/documents/${id}/email`],
      ['PUT', `/v1/documents/${id}/ocr`],
    ] as const) {
      for (const { access_token: token } of [owner, second]) {
        expect(await refusal(await service().send(path, undefined, { method, token })), `${method} ${path}`).to.include(
          {
            status: 401,
            code: 'INVALID_TOKEN',
          },
        );
      }
    }
    for (const { refresh_token: token } of [owner, second]) expect((await refresh(token)).status).to.equal(401);
    expect((await service().send('/v1/auth/login', { email: owner.email, password: PASSWORD })).status).to.equal(401);
    await register(service(), owner.email, 'another long password');
    const newSession = await login(service(), owner.email, 'another long password');
    expect((await me(newSession.access_token)).status).to.equal(200);
  });

  it('a token is refused as soon as its session is removed from the database', async () => {
    const { access_token: token } = await login(service(), user.email);
    expect((await me(token)).status).to.equal(200);
    await service().composition.ports.sessions.remove((jwt.decode(token) as { sid: string }).sid);
    await expectInvalid(token);
  });

  it('a refresh token works once, and its reuse ends only its own session', async () => {
    const [session, other] = [await login(service(), user.email), await login(service(), user.email)];
    const first = await refresh(session.refresh_token);
    expect(first.status).to.equal(200);
    const next = (await first.json()) as Tokens & Record<string, unknown>;
    expect(Object.keys(next)).to.deep.equal(['access_token', 'refresh_token', 'token_type', 'expires_in']);
    expect(next).to.include({ token_type: 'Bearer', expires_in: 3600 });
    expect(next.refresh_token).not.to.equal(session.refresh_token);
    expect((await me(next.access_token)).status).to.equal(200);
    service().advance(10_001);
    expect(await refusal(await refresh(session.refresh_token))).to.include({
      status: 401,
      code: 'INVALID_REFRESH_TOKEN',
    });
    expect((await refresh(next.refresh_token)).status, 'the newest of the same session').to.equal(401);
    await expectInvalid(next.access_token);
    expect((await refresh(other.refresh_token)).status, 'another session').to.equal(200);
  });

  it('50 concurrent refreshes return the same new token', async () => {
    const session = await login(service(), user.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refresh_token)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const tokens = (await Promise.all(answers.map((answer) => answer.json()))) as Tokens[];
    const refreshTokens = new Set(tokens.map(({ refresh_token: token }) => token));
    expect(refreshTokens.size, 'different refresh tokens').to.equal(1);
    const sessionIds = new Set(tokens.map(({ access_token: token }) => (jwt.decode(token) as { sid: string }).sid));
    expect(sessionIds.size, 'different sessions').to.equal(1);
    const [token = ''] = refreshTokens;
    expect((await refresh(token)).status).to.equal(200);
  });

  it('a repeated refresh within 10 s returns the same new token', async () => {
    const session = await login(service(), user.email);
    const lost = (await (await refresh(session.refresh_token)).json()) as Tokens;
    service().advance(9_000);
    const again = (await (await refresh(session.refresh_token)).json()) as Tokens;
    expect(again.refresh_token).to.equal(lost.refresh_token);
    expect((await me(again.access_token)).status).to.equal(200);
    expect((await refresh(again.refresh_token)).status).to.equal(200);
  });

  it('an access token expires after 1 hour and an unused refresh token after 30 days', async () => {
    const owner = await aUser(service());
    service().advance(3_600_000);
    await expectInvalid(owner.access_token, 'TOKEN_EXPIRED');
    const next = (await (await refresh(owner.refresh_token)).json()) as Tokens;
    service().advance(30 * 24 * 3_600_000 - 60_000);
    const later = await refresh(next.refresh_token);
    expect(later.status).to.equal(200);
    service().advance(30 * 24 * 3_600_000);
    const { refresh_token: old } = (await later.json()) as Tokens;
    expect(await refusal(await refresh(old))).to.include({ status: 401, code: 'INVALID_REFRESH_TOKEN' });
  });

  for (const [name, body] of [
    ['nothing', undefined],
    ['null', 'null'],
    ['a number', { refresh_token: 1 }],
    ['an operator', { refresh_token: { $ne: '' } }],
    ['an empty text', { refresh_token: '' }],
  ] as const) {
    it(`a refresh with ${name} as the body is refused`, async () => {
      expect(await refusal(await service().send('/v1/auth/refresh', body))).to.include({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    });
  }

  it('10,000 secret tokens are all different', () => {
    const { secretTokens } = service().composition.ports;
    const secrets = Array.from({ length: 5000 }, (_, i) => [
      secretTokens.next(),
      secretTokens.derive(`seed ${i}`),
    ]).flat();
    expect(new Set(secrets).size).to.equal(10_000);
    expect(secretTokens.digest('x')).to.equal(createHash('sha256').update('x').digest('hex'));
  });
});
