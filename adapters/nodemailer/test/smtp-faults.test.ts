import { Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, type ErrorCode } from '@palimpsest/core';
import { aMail, anAttachment } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { openSmtpMailer, defaultTimeouts, type SmtpMailer, type SmtpTimeouts } from '../src/smtp-mailer.ts';
import { startScriptedServer, type Script, type ScriptedServer } from './scripted-server.ts';
import { startAcceptingServer } from './accepting-server.ts';
import { rejectionOf } from '../../../test/expectations.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };
const { signal } = new AbortController();
const PASSWORD = 'correct-horse-battery';

describe('SmtpMailer', () => {
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const mailerFor = (
    port: number,
    {
      auth = '',
      query = '',
      scheme = 'smtp',
      timeouts = {},
    }: { auth?: string; query?: string; scheme?: string; timeouts?: Partial<SmtpTimeouts> } = {},
  ): SmtpMailer => {
    const mailer = openSmtpMailer({ url: `${scheme}://${auth}127.0.0.1:${port}${query}`, from, timeouts });
    closing.push(() => mailer.close());
    return mailer;
  };

  const serverFor = async (script?: Script): Promise<ScriptedServer> => {
    const server = await startScriptedServer(script);
    closing.push(() => server.close());
    return server;
  };

  const expectFault = async (code: ErrorCode, sending: Promise<void>): Promise<AppError> => {
    const error = await rejectionOf(sending);
    if (!(error instanceof AppError)) throw new Error(`${code} was expected`, { cause: error });
    expect(error.code).to.equal(code);
    expect(error.message).to.not.match(/example\.org|127\.0\.0\.1|\d{3}|secret|@/);
    expect(error.cause).to.be.instanceOf(Error);
    expect(error.cause instanceof Error ? `${error.cause.stack} ${JSON.stringify(error.cause)}` : '').to.not.include(
      PASSWORD,
    );
    return error;
  };

  const refusals: readonly (readonly [what: string, script: Script, code: ErrorCode])[] = [
    ['421 as its greeting', { greeting: '421 4.3.2 too busy' }, 'SERVICE_UNAVAILABLE'],
    ['521 as its greeting', { greeting: '521 no mail here' }, 'SERVICE_UNAVAILABLE'],
    ['554 as its greeting', { greeting: '554 go away' }, 'SERVICE_UNAVAILABLE'],
    ['nonsense as its greeting', { greeting: 'HTTP/1.1 400 Bad Request' }, 'SERVICE_UNAVAILABLE'],
    ['421 to MAIL', { MAIL: '421 4.3.0 closing' }, 'SERVICE_UNAVAILABLE'],
    ['450 to RCPT', { RCPT: '450 4.2.1 busy' }, 'SERVICE_UNAVAILABLE'],
    ['451 to RCPT, as greylisting does', { RCPT: '451 4.7.1 secret come back in 5 minutes' }, 'SERVICE_UNAVAILABLE'],
    ['452 to MAIL', { MAIL: '452 4.3.1 disk full' }, 'SERVICE_UNAVAILABLE'],
    ['452 4.2.2 to RCPT', { RCPT: '452 4.2.2 mailbox full' }, 'SERVICE_UNAVAILABLE'],
    ['452 4.3.4 to the mail', { message: '452 4.3.4 too big today' }, 'SERVICE_UNAVAILABLE'],
    ['451 to DATA', { DATA: '451 4.3.0 later' }, 'SERVICE_UNAVAILABLE'],
    ['503 to MAIL', { MAIL: '503 5.5.1 bad sequence' }, 'SERVICE_UNAVAILABLE'],
    ['530 to MAIL', { MAIL: '530 5.7.0 sign in first' }, 'SERVICE_UNAVAILABLE'],
    ['550 to MAIL', { MAIL: '550 5.7.1 not from there' }, 'MAIL_REFUSED'],
    ['550 to RCPT', { RCPT: '550 5.1.1 <reader@example.org> secret unknown' }, 'MAIL_REFUSED'],
    ['553 to RCPT', { RCPT: '553 no such address' }, 'MAIL_REFUSED'],
    ['552 5.2.2 to RCPT', { RCPT: '552 5.2.2 mailbox full' }, 'MAIL_REFUSED'],
    ['550 5.2.1 to the mail', { message: '550 5.2.1 disabled' }, 'MAIL_REFUSED'],
    ['554 to the mail', { message: '554 5.7.1 spam' }, 'MAIL_REFUSED'],
    ['552 5.7.0 to the mail', { message: '552 5.7.0 content that we do not like' }, 'MAIL_REFUSED'],
    ['554 to DATA', { DATA: '554 5.5.1 no valid recipients' }, 'MAIL_REFUSED'],
    ['552 to MAIL', { MAIL: '552 too large' }, 'MAIL_TOO_LARGE'],
    ['552 to the mail', { message: '552 message size exceeds fixed maximum' }, 'MAIL_TOO_LARGE'],
    ['552 5.3.4 to DATA', { DATA: '552 5.3.4 too large' }, 'MAIL_TOO_LARGE'],
    ['554 5.3.4 to the mail', { message: '554 5.3.4 too large' }, 'MAIL_TOO_LARGE'],
    ['552 5.2.3 to RCPT', { RCPT: '552-5.2.3 too large\r\n552 5.2.3 for this reader' }, 'MAIL_TOO_LARGE'],
    ['523 to the mail', { message: '523 length exceeds limit' }, 'MAIL_TOO_LARGE'],
    ['a lost connection before the greeting', { greeting: 'drop' }, 'SERVICE_UNAVAILABLE'],
    ['a lost connection after MAIL', { MAIL: 'drop' }, 'SERVICE_UNAVAILABLE'],
    ['a lost connection at DATA', { DATA: 'drop' }, 'SERVICE_UNAVAILABLE'],
    ['a lost connection after the whole mail', { message: 'drop' }, 'SERVICE_UNAVAILABLE'],
  ];

  for (const [what, script, code] of refusals) {
    it(`throws ${code} after ${what}, and sends the next mail`, async () => {
      const server = await serverFor(script);
      const mailer = mailerFor(server.port);
      await expectFault(code, mailer.send(aMail({ attachment: anAttachment(Buffer.from('bytes')) }), signal));
      server.setScript({});
      await mailer.send(aMail(), signal);
    });
  }

  for (const [what, script] of [
    ['MAIL', { MAIL: '421 4.3.0 closing' }],
    ['RCPT', { RCPT: '421 4.7.0 too many mails' }],
    ['the mail', { message: '421 4.3.0 closing' }],
  ] as const) {
    it(`does not resend a mail by itself after 421 to ${what}`, async () => {
      const server = await serverFor(script);
      await expectFault('SERVICE_UNAVAILABLE', mailerFor(server.port).send(aMail(), signal));
      expect(server.lines.filter((line) => line.startsWith('MAIL FROM'))).to.have.length(1);
    });
  }

  it('does not resend a mail by itself if the connection is lost before the answer; a resend by the caller keeps the Message-ID', async () => {
    const server = await serverFor({ message: 'drop' });
    const mailer = mailerFor(server.port);
    const mail = aMail();
    const times = (): number => server.lines.filter((line) => line === `Message-ID: <${mail.messageId}>`).length;
    await expectFault('SERVICE_UNAVAILABLE', mailer.send(mail, signal));
    expect(times()).to.equal(1);
    server.setScript({});
    await mailer.send(mail, signal);
    expect(times()).to.equal(2);
  });

  it('waits ten minutes by default for the answer to the end of a mail (RFC 5321, section 4.5.3.2.6)', () => {
    expect(defaultTimeouts.silenceMs).to.be.at.least(600_000);
    expect(defaultTimeouts.sendMs).to.be.above(defaultTimeouts.silenceMs);
  });

  it('throws SERVICE_UNAVAILABLE when the server sends no greeting', async () => {
    const server = await serverFor({ greeting: 'hang' });
    const mailer = mailerFor(server.port, { timeouts: { greetingMs: 100 } });
    const { cause } = await expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
    expect(String(cause)).to.include('Greeting never received');
  });

  const silences: readonly (readonly [what: string, script: Script, lastLine: RegExp])[] = [
    ['after EHLO', { EHLO: 'hang' }, /^EHLO/],
    ['after RCPT', { RCPT: 'hang' }, /^RCPT/],
    ['after the whole mail', { message: 'hang' }, /^\.$/],
  ];

  for (const [what, script, lastLine] of silences) {
    it(`throws SERVICE_UNAVAILABLE when the server stops answering ${what}`, async () => {
      const server = await serverFor(script);
      const mailer = mailerFor(server.port);
      const sockets = new Set<Socket>();
      const timeouts = mock.method(Socket.prototype, 'setTimeout', function (this: Socket, ms: number) {
        if (ms === defaultTimeouts.silenceMs) sockets.add(this);
        return this;
      });
      try {
        const sending = expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
        while (!lastLine.test(server.lines.at(-1) ?? '')) await nextTurn();
        expect(sockets.size).to.equal(1);
        for (const socket of sockets) socket.emit('timeout');
        await sending;
      } finally {
        timeouts.mock.restore();
      }
    });
  }

  it('throws SERVICE_UNAVAILABLE when the timeout for a whole mail ends, and sends the next mail', async () => {
    const server = await serverFor({ message: 'hang' });
    const mailer = mailerFor(server.port);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const sending = expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
      while (!server.lines.includes('.')) await nextTurn();
      mock.timers.tick(defaultTimeouts.sendMs);
      await sending;
    } finally {
      mock.timers.reset();
    }
    server.setScript({});
    await mailer.send(aMail(), signal);
  });

  it('throws SERVICE_UNAVAILABLE when no server listens', async () => {
    const server = await startScriptedServer();
    await server.close();
    await expectFault('SERVICE_UNAVAILABLE', mailerFor(server.port).send(aMail(), signal));
  });

  it('throws SERVICE_UNAVAILABLE for an unknown host name', async () => {
    const mailer = openSmtpMailer({ url: 'smtp://mail.invalid:25', from, timeouts: { connectMs: 500 } });
    closing.push(() => mailer.close());
    await expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
  });

  it('throws SERVICE_UNAVAILABLE for refused credentials, which the operator can correct', async () => {
    const server = await serverFor({ EHLO: '250-here\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 bad credentials' });
    const mailer = mailerFor(server.port, { auth: `service:${PASSWORD}@` });
    await expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
    expect(server.lines.some((line) => line.startsWith('MAIL'))).to.equal(false);
    server.setScript({ EHLO: '250-here\r\n250 AUTH PLAIN' });
    await mailer.send(aMail(), signal);
    expect(server.lines).to.include(`AUTH PLAIN ${Buffer.from(`\0service\0${PASSWORD}`).toString('base64')}`);
  });

  for (const [what, script] of [
    ['refuses it', {}],
    ['continues without it', { STARTTLS: '250 ok' }],
    ['continues without encryption', { STARTTLS: '220 go\r\n250 AUTH PLAIN' }],
  ] as const) {
    it(`sends neither credentials nor mail without TLS if TLS is required and the server does not announce STARTTLS and ${what}`, async () => {
      const server = await serverFor({ EHLO: '250-here\r\n250 AUTH PLAIN', ...script });
      const mailer = mailerFor(server.port, {
        auth: `service:${PASSWORD}@`,
        query: '?requireTLS=true',
      });
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const state = { isOver: false };
        const sending = expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal)).finally(() => {
          state.isOver = true;
        });
        while (!state.isOver) {
          // The client waits for a TLS handshake that never comes.
          if (server.lines.includes('STARTTLS')) mock.timers.tick(1000);
          await nextTurn();
        }
        await sending;
      } finally {
        mock.timers.reset();
      }
      expect(server.lines).to.include('STARTTLS');
      expect(server.lines.filter((line) => /^(AUTH|MAIL|RCPT|DATA)|reader@/.test(line))).to.deep.equal([]);
    });
  }

  for (const [scheme, options] of [
    ['smtps', { secure: true }],
    ['smtp', { disabledCommands: [] }],
  ] as const) {
    it(`accepts a self-signed certificate with ${scheme} only if allowed`, async () => {
      const server = await startAcceptingServer({ ...options, disabledCommands: [] });
      closing.push(() => server.close());
      await expectFault('SERVICE_UNAVAILABLE', mailerFor(server.port, { scheme }).send(aMail(), signal));
      expect(server.received).to.deep.equal([]);
      await mailerFor(server.port, { scheme, query: '?allowInvalidCertificate=true&requireTLS=true' }).send(
        aMail(),
        signal,
      );
      expect(server.received).to.have.length(1);
    });
  }

  it('throws MAIL_TOO_LARGE without sending a mail that exceeds the limit announced by the server', async () => {
    const server = await serverFor({ EHLO: '250-here\r\n250 SIZE 200000' });
    const mailer = mailerFor(server.port);
    const sized = (bytes: number) => aMail({ attachment: anAttachment(Buffer.alloc(bytes)) });
    await expectFault('MAIL_TOO_LARGE', mailer.send(sized(150_000), signal)); // over 200,000 in base64
    expect(server.lines.filter((line) => /^(MAIL|DATA)/.test(line))).to.deep.equal([]);
    await mailer.send(sized(140_000), signal);
    const announced = Number(/ SIZE=(\d+)$/m.exec(server.lines.find((line) => line.startsWith('MAIL')) ?? '')?.[1]);
    const body = server.lines.slice(server.lines.indexOf('DATA') + 1, server.lines.indexOf('.'));
    const sent = body.reduce((sum, line) => sum + line.replace(/^\./, '').length + 2, 0);
    expect(announced).to.be.within(sent, sent + 100);
  });

  it('throws MAIL_TOO_LARGE when the server refuses the announced size', async () => {
    const server = await startAcceptingServer({ size: 100_000 });
    closing.push(() => server.close());
    await expectFault(
      'MAIL_TOO_LARGE',
      mailerFor(server.port).send(aMail({ attachment: anAttachment(Buffer.alloc(90_000)) }), signal),
    );
    expect(server.received).to.deep.equal([]);
  });

  it('reuses connections, opens at most three, and replaces idle ones that the server closed', async () => {
    const server = await serverFor();
    const mailer = mailerFor(server.port);
    await mailer.send(aMail(), signal);
    await mailer.send(aMail(), signal);
    expect(server.totalConnections()).to.equal(1);
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(aMail(), signal)));
    expect(server.totalConnections()).to.be.at.most(3);
    server.dropConnections();
    await mailer.send(aMail({ attachment: anAttachment(Buffer.alloc(100_000)) }), signal);
    expect(server.lines.filter((line) => line === '.')).to.have.length(23);
  });

  for (const [what, attachment] of [
    ['without an attachment', undefined],
    ['with an attachment', anAttachment(Buffer.alloc(300_000))],
  ] as const) {
    it(`sends a mail ${what} over a new connection if the server closes the idle one before the first byte`, async () => {
      const server = await serverFor();
      const mailer = mailerFor(server.port);
      await mailer.send(aMail(), signal);
      server.setScript({ MAIL: 'drop once' });
      await mailer.send(aMail(attachment && { attachment }), signal);
      expect(server.totalConnections()).to.equal(2);
      expect(server.lines.filter((line) => line === '.')).to.have.length(2);
    });
  }

  it('sends the next mail after a restart of the server', async () => {
    const first = await startAcceptingServer();
    const mailer = mailerFor(first.port);
    await mailer.send(aMail(), signal);
    await first.close();
    await expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
    const second = await startAcceptingServer({}, first.port);
    closing.push(() => second.close());
    await mailer.send(aMail(), signal);
    expect(second.received).to.have.length(1);
  });

  it('throws the reason of the signal if it aborts during the wait for the answer, and closes the connection', async () => {
    const server = await serverFor({ message: 'hang' });
    const mailer = mailerFor(server.port);
    const abort = new AbortController();
    const reason = new Error('the lease has expired');
    const sending = mailer.send(aMail(), abort.signal).catch((error: unknown) => error);
    while (!server.lines.includes('.')) await nextTurn();
    abort.abort(reason);
    expect(await sending).to.equal(reason);
    while (server.openConnections() > 0) await nextTurn();
  });

  it('throws SERVICE_UNAVAILABLE for running and later sends when it is closed', async () => {
    const server = await serverFor({ message: 'hang' });
    const mailer = mailerFor(server.port);
    const sendings = Array.from({ length: 5 }, () => expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal)));
    while (server.lines.filter((line) => line === '.').length < 3) await nextTurn();
    await mailer.close();
    await Promise.all(sendings);
    await expectFault('SERVICE_UNAVAILABLE', mailer.send(aMail(), signal));
    await mailer.close();
    while (server.openConnections() > 0) await nextTurn();
  });

  for (const address of [
    '',
    'nobody',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'A <a@example.org>',
  ]) {
    it(`throws for the sender address ${JSON.stringify(address)}`, () => {
      expect(() => openSmtpMailer({ url: 'smtp://localhost', from: { name: '', address } })).to.throw(
        Error,
        'one plain e-mail address',
      );
    });
  }
});
