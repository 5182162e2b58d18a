import {
  AppError,
  deleteDocument,
  MAX_TITLE_CHARACTERS,
  reviseOcr,
  sendMail,
  uploadDocument,
  type MailContent,
  type SendOutcome,
} from '@palimpsest/core';
import { toyFile, type ToyContent } from '@palimpsest/memory';
import { expect } from 'chai';
import { aMember, aWorld, instead, mailSettings, takeMails } from '../../world.ts';

const notAborted = new AbortController().signal;
const GREYLISTED = new AppError('SERVICE_UNAVAILABLE', 'Come back later.');

const setUp = async () => {
  const world = aWorld();
  const { ports, memory } = world;
  const member = await aMember(ports);
  await takeMails(ports);
  const send = sendMail(memory, mailSettings);
  let mails = 0;
  const mail = (content: MailContent): Promise<SendOutcome> =>
    send({ ...content, mailId: `mail-${++mails}`, requestedAt: memory.clock.now() + mails }, notAborted);
  const read = async (
    content: ToyContent = { pages: [{ text: 'first words' }, { text: 'second' }] },
    title?: string,
    filename = 'scan.pdf',
  ) => {
    const file = await world.receive(toyFile(content));
    const { id } = await uploadDocument(ports)({
      actor: member,
      file,
      filename,
      ...(title !== undefined && { title }),
    });
    await world.recognize(await world.claim());
    return world.stored(id);
  };
  const asDocument = (documentId: string): MailContent => ({
    mail: 'document',
    accountId: member.accountId,
    documentId,
  });
  return {
    world,
    ports,
    mailer: memory.mailer,
    clock: memory.clock,
    member,
    mail,
    read,
    asDocument,
    delivered: () => memory.mailer.delivered.at(-1),
  };
};

describe('a mail with a document', () => {
  it('contains the file byte for byte and the beginning of the text, and goes only to the owner', async () => {
    const { ports, mail, read, asDocument, delivered, member } = await setUp();
    const content = { pages: [{ text: 'first words' }, { text: 'second' }] };
    const document = await read(content, 'My <b>title</b>\r\nBcc: eve@example.org', 'r\u00e9sum\u00e9.pdf');
    expect(await mail(asDocument(document.id))).to.deep.equal({ kind: 'sent', attachmentLeftOut: false });
    const sent = delivered();
    expect(sent?.envelope.to).to.deep.equal([member.email]);
    expect(sent?.subject).to.equal('My <b>title</b> Bcc: eve@example.org');
    expect(sent?.text).to.include('-\nfirst words\n\nsecond');
    expect(sent?.html).not.to.include('<b>');
    expect(sent?.attachment).to.include({
      filename: 'r\u00e9sum\u00e9.pdf',
      mediaType: 'application/pdf',
      byteSize: document.byteSize,
    });
    expect(sent?.attachment?.bytes).to.deep.equal(toyFile(content));
    expect((await ports.blobs.stat(document.blobKey))?.byteSize).to.equal(sent?.attachment?.bytes.length);
  });

  it('shows the newest revision of the text', async () => {
    const { ports, mail, read, asDocument, delivered, member } = await setUp();
    const { id } = await read();
    await reviseOcr(ports)(member, id, 'corrected');
    await mail(asDocument(id));
    expect(delivered()?.text).to.include('-\ncorrected\n-').and.not.include('first words');
    await reviseOcr(ports)(member, id, '');
    await mail(asDocument(id));
    expect(delivered()?.text).to.include('No text was found');
  });

  it('has a subject of one line and at most 200 characters, for any title', async () => {
    const { mail, read, asDocument, delivered } = await setUp();
    const { id } = await read(undefined, `\u202e${'\u{1F600}'.repeat(MAX_TITLE_CHARACTERS - 2)}x\n`);
    await mail(asDocument(id));
    expect(delivered()?.subject).to.equal(`${'\u{1F600}'.repeat(199)}…`);
  });

  it('is sent with a link in place of the file, under the same Message-ID, if it is too large', async () => {
    const { mailer, mail, read, asDocument, delivered } = await setUp();
    const { id } = await read();
    mailer.failNext(new AppError('MAIL_TOO_LARGE', 'Too large.'));
    const tried: string[] = [];
    const send = mailer.send.bind(mailer);
    mailer.send = (given, signal) => {
      tried.push(`${given.messageId} ${given.attachment ? 'with' : 'without'}`);
      return send(given, signal);
    };
    expect(await mail(asDocument(id))).to.deep.equal({ kind: 'sent', attachmentLeftOut: true });
    expect(tried).to.deep.equal(['mail-1@mail.example.org with', 'mail-1@mail.example.org without']);
    expect(delivered()).not.to.have.property('attachment');
    expect(delivered()?.text)
      .to.include(`https://ocr.example.org/v1/documents/${id}/download`)
      .and.include('too large')
      .and.include('first words');
  });

  it('is refused if it is too large without its file, and postponed if the second attempt fails temporarily', async () => {
    const { mailer, mail, read, asDocument } = await setUp();
    const { id } = await read();
    const tooLarge = new AppError('MAIL_TOO_LARGE', 'Too large.');
    for (const [second, kind] of [
      [tooLarge, 'refused'],
      [new AppError('MAIL_REFUSED', 'No.'), 'refused'],
      [GREYLISTED, 'postponed'],
    ] as const) {
      mailer.failNext(tooLarge);
      mailer.failNext(second);
      expect(await mail(asDocument(id))).to.include({ kind, fault: second });
    }
    expect(mailer.delivered).to.deep.equal([]);
  });

  it('is dropped if the document is deleted, of another owner, not completed, or without its file', async () => {
    const { world, ports, mailer, member, mail, read, asDocument } = await setUp();
    const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
    const document = await read();
    const gone = { kind: 'dropped', reason: 'the document is gone' };
    expect(await mail({ mail: 'document', accountId: bob.accountId, documentId: document.id })).to.deep.equal(gone);
    expect(await mail(asDocument('unknown'))).to.deep.equal(gone);
    expect(await mail(asDocument((await world.upload({ pages: [] }, member)).id))).to.deep.equal(gone);
    await ports.blobs.delete(document.blobKey);
    expect(await mail(asDocument(document.id))).to.deep.equal({
      kind: 'dropped',
      reason: 'the file of the document was removed',
    });
    await deleteDocument(ports)(member, document.id);
    expect(await mail(asDocument(document.id))).to.deep.equal(gone);
    expect(mailer.delivered).to.deep.equal([]);
  });

  it('is dropped at the next attempt if the file is removed while it is sent', async () => {
    const { ports, clock, read, asDocument } = await setUp();
    const document = await read();
    const blobs = instead(ports.blobs, {
      get: async (key) => {
        await ports.blobs.delete(key);
        return ports.blobs.get(key);
      },
    });
    const request = { ...asDocument(document.id), mailId: 'm', requestedAt: clock.now() };
    expect(await sendMail({ ...ports, blobs }, mailSettings)(request, notAborted)).to.have.property(
      'kind',
      'postponed',
    );
    expect(await sendMail(ports, mailSettings)(request, notAborted)).to.deep.equal({
      kind: 'dropped',
      reason: 'the file of the document was removed',
    });
  });
});

describe('a mail about an account', () => {
  it('goes to the address of the account, if the account exists', async () => {
    const { ports, mail, member, delivered, mailer } = await setUp();
    const contents: MailContent[] = [
      { mail: 'verify-email', accountId: member.accountId },
      { mail: 'reset-password', email: member.email },
      { mail: 'password-changed', accountId: member.accountId },
      { mail: 'address-taken', email: member.email },
    ];
    for (const content of contents) {
      expect(await mail(content)).to.deep.equal({ kind: 'sent', attachmentLeftOut: false });
      expect(delivered()?.envelope.to).to.deep.equal([member.email]);
    }
    await ports.accounts.close(member.accountId, 1);
    for (const content of contents)
      expect(await mail(content)).to.deep.equal({ kind: 'dropped', reason: 'the account does not exist' });
    expect(mailer.delivered).to.have.length(4);
  });

  it('is dropped if the address is verified already', async () => {
    const { ports, mail, member } = await setUp();
    await ports.accounts.verifyEmail(member.accountId);
    expect(await mail({ mail: 'verify-email', accountId: member.accountId })).to.deep.equal({
      kind: 'dropped',
      reason: 'the address is verified already',
    });
    expect(await mail({ mail: 'reset-password', email: member.email })).to.have.property('kind', 'sent');
  });

  for (const email of [
    '"a,b"@example.org',
    'a@example.org,b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'g:a@example.org;',
    'a(c)@example.org',
    'A@example.org',
    'a@localhost',
    '',
  ]) {
    it(`is not sent to the invalid stored address ${JSON.stringify(email)}`, async () => {
      const { ports, mail, mailer } = await setUp();
      await ports.accounts.add({ id: 'odd', email, passwordHash: 'h', emailVerified: false, createdAt: 1 });
      for (const content of [
        { mail: 'verify-email', accountId: 'odd' },
        { mail: 'address-taken', email },
        { mail: 'reset-password', email },
      ] as const) {
        expect(await mail(content)).to.deep.equal({
          kind: 'dropped',
          reason: 'the stored address is not a plain address',
        });
      }
      expect(mailer.delivered).to.deep.equal([]);
    });
  }

  it('about a taken address is sent after many attempts', async () => {
    const { ports, clock, mailer, member, delivered } = await setUp();
    const send = sendMail(ports, mailSettings);
    const request = { mail: 'address-taken', email: member.email, mailId: 'm', requestedAt: clock.now() } as const;
    for (let i = 0; i < 6; i++) {
      mailer.failNext(GREYLISTED);
      const outcome = await send(request, notAborted);
      if (outcome.kind !== 'postponed') throw new Error(outcome.kind);
      clock.set(outcome.retryAt);
    }
    expect(await send(request, notAborted)).to.have.property('kind', 'sent');
    expect(delivered()?.subject).to.equal('You already have an account');
  });

  it('about a taken address is sent three times a day at most, also with retries in between', async () => {
    const { clock, mailer, mail, member } = await setUp();
    const kinds: string[] = [];
    for (let i = 0; i < 8; i++) {
      if (i % 2 === 0) mailer.failNext(GREYLISTED);
      kinds.push((await mail({ mail: 'address-taken', email: member.email })).kind);
      clock.advance(1000);
    }
    expect(kinds).to.deep.equal(['postponed', 'sent', 'postponed', 'sent', 'postponed', 'sent', 'dropped', 'dropped']);
  });
});
