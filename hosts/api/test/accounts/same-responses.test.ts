import { expect } from 'chai';
import {
  aClient,
  anEmail,
  aUser,
  describeWithService,
  login,
  newestMail,
  register,
  tokenIn,
  type Sending,
} from '../timed-service.ts';
import { countCalls } from '../port-calls.ts';
import { PASSWORD } from '../service.ts';
import { comparable, expectSame } from './comparable-response.ts';

describeWithService('responses to known and unknown addresses', (service) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    service().send(`/v1/auth/${path}`, body, sending);

  it('a login with a wrong password gets the same response for known and unknown addresses', async () => {
    const email = anEmail();
    await register(service(), email);
    const verified = await aUser(service());
    await post('verify-email', { token: tokenIn(await newestMail(service(), verified.email, 'Verify')) });
    const answers = [];
    for (const each of [email, verified.email, 'unknown@example.org', 'no address']) {
      answers.push(await comparable(await post('login', { email: each, password: 'a wrong password' })));
    }
    expectSame(answers);
    const blocked = aClient();
    for (let i = 0; i < 3; i++) await post('login', { email, password: 'wrong wrong' }, { from: blocked });
    for (let i = 0; i < 3; i++)
      await post('login', { email: 'unknown@example.org', password: 'wrong wrong' }, { from: blocked });
    expectSame([
      await comparable(await post('login', { email, password: 'wrong wrong' }, { from: blocked })),
      await comparable(
        await post('login', { email: 'unknown@example.org', password: 'wrong wrong' }, { from: blocked }),
      ),
      await comparable(await post('login', { email, password: PASSWORD }, { from: blocked })),
    ]);
  });

  /** The numbers of port calls whose duration a client could measure. */
  const workOf = (path: string, body: unknown): Promise<Readonly<Record<string, number>>> =>
    countCalls(
      service().composition,
      ['passwordHasher', 'accounts', 'accountTokens', 'sessions', 'jobs', 'rateCounters'],
      () => post(path, body),
    );

  it('a failed login makes the same port calls for known and unknown addresses', async () => {
    const email = anEmail();
    await register(service(), email);
    const registered = await workOf('login', { email, password: 'a wrong password' });
    expect(registered).to.include({ 'passwordHasher.verify': 1, 'accounts.findByEmail': 1 });
    expect(await workOf('login', { email: anEmail(), password: 'a wrong password' })).to.deep.equal(registered);
  });

  it('a registration with a taken address gets the normal response, and its owner gets an e-mail', async () => {
    const [taken, free] = [anEmail(), anEmail()];
    await register(service(), taken);
    const answers = [
      await comparable(await register(service(), taken, 'another password')),
      await comparable(await register(service(), free)),
    ];
    expectSame(answers);
    expect(JSON.parse(answers[0] ?? '')[0]).to.equal(202);
    const mail = await newestMail(service(), taken, 'already have an account');
    expect(mail.text).to.include('has an account already').and.not.include('token=');
    await newestMail(service(), free, 'Verify');
    await login(service(), taken);
    expect((await post('login', { email: taken, password: 'another password' })).status).to.equal(401);
  });

  it('register and forgot-password make the same port calls for a known address as for an unknown one', async () => {
    const email = anEmail();
    await register(service(), email);
    // For a taken address, the service also makes one durable write: it stores a session that has expired already.
    const { 'sessions.add': substitute, ...taken } = await workOf('register', { email, password: PASSWORD });
    const { 'accounts.add': added, ...free } = await workOf('register', { email: anEmail(), password: PASSWORD });
    expect([substitute, added]).to.deep.equal([1, 1]);
    expect(taken).to.deep.equal(free);
    expect(taken).to.include({ 'passwordHasher.hash': 1, 'jobs.enqueue': 1 });
    const known = await workOf('forgot-password', { email });
    expect(known).to.include({ 'jobs.enqueue': 1 });
    expect(await workOf('forgot-password', { email: anEmail() })).to.deep.equal(known);
  });

  it('forgot-password and resend-verification give every address the same response, and only the owner of an unverified address gets a verification e-mail', async () => {
    const [unverified, verified] = [await aUser(service()), await aUser(service())];
    await post('verify-email', { token: tokenIn(await newestMail(service(), verified.email, 'Verify')) });
    const forgot = [];
    for (const email of [unverified.email, verified.email, 'nobody@example.org'])
      forgot.push(await comparable(await post('forgot-password', { email })));
    expectSame(forgot);
    expect(JSON.parse(forgot[0] ?? '')[0]).to.equal(202);
    await newestMail(service(), unverified.email, 'Reset');
    await newestMail(service(), verified.email, 'Reset');
    const before = (await service().mails()).length;
    const resent = [];
    for (const { access_token: token } of [unverified, verified])
      resent.push(await comparable(await post('resend-verification', undefined, { token })));
    expectSame(resent);
    expect(JSON.parse(resent[0] ?? '')[0]).to.equal(202);
    const sent = (await service().mails()).slice(before);
    expect(sent.map(({ to }) => to)).to.deep.equal([unverified.email]);
    expect((await service().mails()).filter(({ to }) => to === 'nobody@example.org')).to.deep.equal([]);
    expect((await post('resend-verification', undefined)).status).to.equal(401);
  });

  it('rate limits of login and forgot-password are the same for known and unknown addresses', async () => {
    const known = anEmail();
    await register(service(), known);
    const from = aClient();
    for (const path of ['login', 'forgot-password']) {
      const answers = await Promise.all(
        [known, 'never-seen@example.org'].map(async (email) => {
          const all = [];
          for (let i = 0; i < 5; i++)
            all.push(await comparable(await post(path, { email, password: 'wrong wrong' }, { from })));
          // The counters of the client address include the requests for both e-mail addresses.
          return all.map((answer) =>
            answer.replace(/(login-client|forgot-client)\\";r=\d+;t=\d+/g, '$1').replace(/;t=\d+/g, ''),
          );
        }),
      );
      expect(answers[0]?.map((answer) => answer.replace(/in \d+ seconds?|"retry-after","\d+"/g, ''))).to.deep.equal(
        answers[1]?.map((answer) => answer.replace(/in \d+ seconds?|"retry-after","\d+"/g, '')),
      );
    }
  });
});
