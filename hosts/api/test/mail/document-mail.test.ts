import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { SEND_MAIL_JOB } from '@palimpsest/core';
import { textPdf } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';
import { startTestSmtpServer, type TestSmtpServer, type ReceivedMail } from '../test-smtp-server.ts';
import { eventually } from '../../../../test/expectations.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog while the band plays on';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Uploads a document and waits until it is completed. */
const aDocument = async (
  user: TestUser,
  {
    content = textPdf(TEXT),
    filename = 'scan.pdf',
    title,
  }: { content?: Buffer; filename?: string; title?: string } = {},
): Promise<string> => {
  const uploaded = (await (await user.upload(content, filename, title)).json()) as { document: { id: string } };
  const { id } = uploaded.document;
  await eventually(async () => {
    const { document } = (await (await user.fetch(`/v1/documents/${id}`)).json()) as { document: { status: string } };
    if (document.status === 'failed') throw new Error('the document failed');
    return document.status === 'completed';
  });
  return id;
};

describe('e-mails with documents over SMTP', () => {
  let smtpServer: TestSmtpServer;
  let service: TestService;
  let user: TestUser;
  let id: string;

  before(async () => {
    smtpServer = await startTestSmtpServer({ size: 1_500_000 });
    service = await startService({
      worker: true,
      env: {
        SMTP_URL: smtpServer.url,
        MAIL_FROM: 'Ocr Desk <desk@example.net>',
        PUBLIC_URL: 'https://ocr.example.net/app',
        TRUST_PROXY: '1',
      },
    });
    user = await service.signUp();
    id = await aDocument(user);
  });
  after(async () => {
    await service.close();
    await smtpServer.close();
  });

  const send = (document: string, init: RequestInit = {}, by: TestUser = user): Promise<Response> =>
    by.fetch(`/v1/documents/${document}/email`, { method: 'POST', ...init });

  const settled = (): Promise<true> => eventually(async () => service.waitingJobs(SEND_MAIL_JOB) === 0);

  /** The e-mails to an address after the first `known`, as soon as there are `count` of them. */
  const arrived = (to: string, count = 1, known = 0): Promise<ReceivedMail[]> =>
    eventually(async () => {
      const mine = smtpServer.received.filter((mail) => mail.to.includes(to)).slice(known);
      return mine.length >= count ? mine : undefined;
    });

  const documentMails = (to: string): ReceivedMail[] =>
    smtpServer.received.filter(({ mail, to: recipients }) => recipients.includes(to) && mail.attachments.length > 0);

  it('a document is sent only to the address of the account, even if the request names other addresses', async () => {
    const response = await send(id, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        to: 'evil@example.org',
        cc: ['evil@example.org'],
        bcc: 'evil@example.org',
        from: 'evil@example.org',
        subject: 'evil',
        email: 'evil@example.org',
      }),
    });
    expect([response.status, await response.json()]).to.deep.equal([202, { message: 'Document sent to your email.' }]);
    const mail = await eventually(async () => documentMails(user.email)[0]);
    expect([mail.from, mail.to]).to.deep.equal(['desk@example.net', [user.email]]);
    expect(mail.mail.from).to.include({ name: 'Ocr Desk', address: 'desk@example.net' });
    expect(mail.mail.to).to.deep.equal([{ name: '', address: user.email }]);
    expect(mail.raw).not.to.include('evil');
    expect(mail.mail.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal('auto-generated');
  });

  it('foreign, deleted, unprocessed and unknown documents are not sent', async () => {
    const other = await service.signUp();
    const known = smtpServer.received.length;
    for (const [by, document] of [
      [other, id],
      [user, '0190a000-0000-7000-8000-000000000000'],
      [user, 'x'],
    ] as const) {
      expect(await refusal(await send(document, {}, by))).to.deep.include({
        status: 404,
        code: 'DOCUMENT_NOT_FOUND',
        message: 'Document not found.',
      });
    }
    const deleted = await aDocument(user);
    await user.fetch(`/v1/documents/${deleted}`, { method: 'DELETE' });
    expect(await refusal(await send(deleted))).to.include({ status: 404, code: 'DOCUMENT_NOT_FOUND' });
    const broken = (
      (await (await user.upload('%PDF-1.7 nothing', 'broken.pdf')).json()) as { document: { id: string } }
    ).document.id;
    expect(await refusal(await send(broken))).to.include({ status: 400, code: 'DOCUMENT_NOT_COMPLETED' });
    await settled();
    expect(smtpServer.received.slice(known).filter(({ mail }) => mail.attachments.length > 0)).to.deep.equal([]);
    expect((await fetch(`${service.url}/v1/documents/${id}/email`, { method: 'POST' })).status).to.equal(401);
  });

  it('a document without its file is refused with FILE_NOT_STORED', async () => {
    const withoutFile = await aDocument(user);
    const document = await service.composition.ports.documents.find(withoutFile);
    await service.composition.ports.blobs.delete(document?.blobKey ?? '');
    expect(await refusal(await send(withoutFile))).to.include({ status: 400, code: 'FILE_NOT_STORED' });
  });

  for (const [name, title] of [
    ['CRLF and a header', 'Invoice\r\nBcc: evil@example.org\r\n\r\nbody'],
    ['an encoded word', '=?utf-8?Q?evil=0D=0ABcc:_evil@example.org?='],
    ['other scripts', 'שלום 漢字 💣 Ünïcödé'],
    ['a direction override', 'abc\u202Efdp.exe'],
    ['NUL and a lone surrogate', 'a\0b\ud800c'],
    ['three hundred characters', 'x'.repeat(299) + 'ü'],
  ] as const) {
    it(`a title and a file name with ${name} cannot add mail headers`, async () => {
      const reader = await service.signUp();
      const document = await aDocument(reader, { title, filename: `${title.slice(0, 100).replace('\0', '')}.pdf` });
      expect((await send(document, {}, reader)).status).to.equal(202);
      const { raw, to, mail } = await eventually(async () => documentMails(reader.email)[0]);
      const [head = ''] = raw.split('\r\n\r\n');
      expect(to).to.deep.equal([reader.email]);
      expect(mail.bcc ?? []).to.deep.equal([]);
      expect(head.match(/^bcc:/gim)).to.equal(null);
      expect(head.match(/^subject:/gim)).to.have.length(1);
      for (const line of head.split('\r\n')) expect(line.length).to.be.at.most(998);
      const stored = (await (await reader.fetch(`/v1/documents/${document}`)).json()) as {
        document: { title: string };
        original_filename: string;
      };
      // postal-mime decodes encoded words in file names, which RFC 2047 forbids.
      if (!title.startsWith('=?')) expect(mail.attachments[0]?.filename).to.equal(stored.original_filename);
      expect(mail.subject?.slice(0, 150)).to.equal(stored.document.title.slice(0, 150));
    });
  }

  it('nothing is sent to an invalid address that was written directly into the database', async function () {
    // The test needs SQL to write the address.
    if (service.composition.config.database.kind !== 'sqlite') this.skip();
    const victim = await service.signUp();
    const document = await aDocument(victim);
    await settled();
    const database = new DatabaseSync(join(service.folder, 'palimpsest.db'));
    for (const address of [
      '"a,b"@example.org',
      'a@example.org,evil@example.net',
      'a@example.org\r\nBcc: evil@example.net',
      'g:a@example.org;',
      'a(comment)@example.org',
    ]) {
      database
        .prepare('UPDATE accounts SET email = ? WHERE email = ? OR id = ?')
        .run(address, victim.email, (await service.composition.ports.documents.find(document))?.ownerId ?? '');
      const known = smtpServer.received.length;
      expect((await send(document, {}, victim)).status).to.equal(202);
      await settled();
      expect(smtpServer.received.slice(known), address).to.deep.equal([]);
    }
    database.close();
  });

  it('the attachment equals the original file', async () => {
    const reader = await service.signUp();
    const content = Buffer.concat([
      textPdf(TEXT),
      Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256)),
    ]);
    const document = await aDocument(reader, { content, filename: 'Übersicht 漢字 "1"; x.pdf' });
    await send(document, {}, reader);
    const { mail } = await eventually(async () => documentMails(reader.email)[0]);
    const [attachment] = mail.attachments;
    expect(attachment?.mimeType).to.equal('application/pdf');
    expect(sha256(new Uint8Array(attachment?.content as ArrayBuffer))).to.equal(sha256(content));
    const download = new Uint8Array(await (await reader.fetch(`/v1/documents/${document}/download`)).arrayBuffer());
    expect(sha256(download)).to.equal(sha256(content));
    expect(mail.text).to.include('quick brown fox');
  });

  it('a file that is too large for the SMTP server is replaced by a link', async () => {
    const reader = await service.signUp();
    const document = await aDocument(reader, {
      content: Buffer.concat([textPdf(TEXT), Buffer.alloc(1_200_000, 0x20)]),
    });
    const known = smtpServer.received.filter(({ to }) => to.includes(reader.email)).length;
    await send(document, {}, reader);
    const mails = await arrived(reader.email, known + 1);
    const { mail } =
      mails.find((each) => each.mail.text?.includes('quick brown fox')) ?? mails[0] ?? expect.fail('no mail');
    expect(mail.attachments).to.deep.equal([]);
    expect(mail.text)
      .to.include('too large')
      .and.include(`https://ocr.example.net/app/v1/documents/${document}/download`);
  });

  it('HTML in a text is escaped', async () => {
    const reader = await service.signUp();
    const document = await aDocument(reader, { title: '<b>bold</b>' });
    const revised = '<script>alert(1)</script> <img src=x onerror=alert(2)> & "quotes"';
    await reader.fetch(`/v1/documents/${document}/ocr`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ revised_text: revised }),
    });
    await send(document, {}, reader);
    const { mail } = await eventually(async () => documentMails(reader.email)[0]);
    expect(mail.html).not.to.match(/<(script|img|b)\b/);
    expect(mail.html).to.include('&lt;script&gt;');
    expect(mail.text).to.include('<script>alert(1)</script>');
  });

  it('only 10 document e-mails are sent per minute', async () => {
    const reader = await service.signUp();
    const document = await aDocument(reader);
    const answers = await Promise.all(Array.from({ length: 30 }, () => send(document, {}, reader)));
    expect(answers.filter(({ status }) => status === 202)).to.have.length(10);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).to.have.length(20);
    expect(limited.every((response) => Number(response.headers.get('retry-after')) >= 1)).to.equal(true);
    await eventually(async () => documentMails(reader.email).length === 10);
    await settled();
    expect(documentMails(reader.email)).to.have.length(10);
    expect(new Set(documentMails(reader.email).map(({ mail }) => mail.messageId)).size).to.equal(10);
  });

  it('links use PUBLIC_URL only', async () => {
    const newcomer = await service.signUp();
    const [{ mail }] = (await arrived(newcomer.email)) as [ReceivedMail];
    const links = [...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).to.have.length(1);
    expect(links[0]).to.match(/^https:\/\/ocr\.example\.net\/app\/verify-email\?token=[A-Za-z0-9_-]{43}$/);
    expect(mail.messageId).to.match(/^<[0-9a-f-]{36}@ocr\.example\.net>$/);
  });

  it('repeated requests with one idempotency key send one e-mail', async () => {
    const reader = await service.signUp();
    const document = await aDocument(reader);
    const headers = { 'idempotency-key': 'send-it-once' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(document, { headers }, reader)));
    for (const answer of answers) {
      expect(answer.status).to.be.oneOf([202, 409]);
      if (answer.status === 409) {
        expect(Number(answer.headers.get('retry-after'))).to.equal(1);
        expect(await refusal(answer)).to.include({ code: 'IDEMPOTENCY_KEY_IN_USE' });
      }
    }
    const again = await send(document, { headers }, reader);
    expect([again.status, await again.json()]).to.deep.equal([202, { message: 'Document sent to your email.' }]);
    const second = await aDocument(reader);
    expect(await refusal(await send(second, { headers }, reader))).to.include({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await refusal(await send(document, { headers: { 'idempotency-key': 'x'.repeat(256) } }, reader))).to.include(
      { status: 400, code: 'VALIDATION_ERROR' },
    );
    await eventually(async () => documentMails(reader.email).length > 0);
    await settled();
    expect(documentMails(reader.email)).to.have.length(1);
  });
});

describe('e-mail to a server without TLS', () => {
  it('nothing is sent if the configuration requires TLS and the server does not offer it', async () => {
    let connections = 0;
    const smtpServer = await startTestSmtpServer({
      onConnect: (_session, callback) => {
        connections++;
        callback();
      },
    });
    const service = await startService({ worker: true, env: { SMTP_URL: `${smtpServer.url}?requireTLS=true` } });
    try {
      await service.signUp();
      // The job waits again after its first failed attempt.
      await eventually(async () => connections > 0 && service.waitingJobs(SEND_MAIL_JOB) === 1);
      expect(smtpServer.received).to.deep.equal([]);
    } finally {
      await service.close();
      await smtpServer.close();
    }
  });
});
