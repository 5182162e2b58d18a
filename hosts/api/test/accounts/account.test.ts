import { expect } from 'chai';
import { aUser, describeWithService, getAccount, login, newestMail, tokenIn, type Sending } from '../timed-service.ts';
import { PASSWORD, refusal } from '../service.ts';

describeWithService('an account', (service) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    service().send(`/v1/auth/${path}`, body, sending);

  it('GET /v1/auth/me returns exactly the documented fields', async () => {
    const owner = await aUser(service());
    const body = await getAccount(service(), owner.access_token);
    expect(Object.keys(body)).to.deep.equal(['user']);
    expect(Object.keys(body.user)).to.deep.equal(['id', 'email', 'email_verified', 'created_at']);
    expect(body.user).to.include({ email: owner.email, email_verified: false });
    expect(body.user['created_at']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  });

  it('an account can use the API before its address is verified', async () => {
    const { access_token: token } = await aUser(service());
    expect((await service().send('/v1/documents', undefined, { method: 'GET', token })).status).to.equal(200);
  });

  it('a password reset revokes all earlier refresh tokens', async () => {
    const owner = await aUser(service());
    await post('forgot-password', { email: owner.email });
    const token = tokenIn(await newestMail(service(), owner.email, 'Reset'));
    const { refresh_token: later } = await login(service(), owner.email);
    await post('reset-password', { token, password: 'a wholly new password' });
    for (const refreshToken of [owner.refresh_token, later]) {
      expect((await post('refresh', { refresh_token: refreshToken })).status).to.equal(401);
    }
  });

  it('change-password needs the current password and ends all other sessions', async () => {
    const owner = await aUser(service());
    const other = await login(service(), owner.email);
    const change = (body: unknown) => post('change-password', body, { token: owner.access_token });
    expect(
      await refusal(await change({ current_password: 'not the password', password: 'a wholly new password' })),
    ).to.include({ status: 401, code: 'INVALID_CREDENTIALS' });
    expect(await refusal(await change({ current_password: PASSWORD, password: 'short' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    expect(await refusal(await change({ password: 'a wholly new password' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    const changed = await change({ current_password: PASSWORD, password: 'a wholly new password' });
    expect([changed.status, Object.keys((await changed.json()) as object)]).to.deep.equal([200, ['message']]);
    expect((await getAccount(service(), owner.access_token)).user['email']).to.equal(owner.email);
    expect((await post('refresh', { refresh_token: owner.refresh_token })).status).to.equal(200);
    expect((await post('refresh', { refresh_token: other.refresh_token })).status).to.equal(401);
    await login(service(), owner.email, 'a wholly new password');
    await newestMail(service(), owner.email, 'Your password was changed');
  });

  it('an account is not deleted without its password', async () => {
    const owner = await aUser(service());
    const remove = (body: unknown) =>
      service().send('/v1/auth/me', body, { method: 'DELETE', token: owner.access_token });
    expect(await refusal(await remove({ password: 'not the password' }))).to.include({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
    expect(await refusal(await remove(undefined))).to.include({ status: 400, code: 'VALIDATION_ERROR' });
    expect((await getAccount(service(), owner.access_token)).user['email']).to.equal(owner.email);
  });

  it('an unsupported method on an account path gets 405', async () => {
    for (const path of ['register', 'login', 'refresh', 'forgot-password', 'reset-password', 'verify-email']) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
        const response = await post(path, undefined, { method });
        expect([response.status, response.headers.get('allow')], `${method} ${path}`).to.deep.equal([
          405,
          'OPTIONS, POST',
        ]);
      }
      expect((await post(path, undefined, { method: 'OPTIONS' })).status).to.equal(204);
    }
  });
});
