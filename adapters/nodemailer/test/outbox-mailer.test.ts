import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '@palimpsest/core';
import { temporaryName } from '@palimpsest/files';
import { NO_CONNECTION, aMail, anAttachment, describeMailer } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { openOutbox } from '../src/outbox-mailer.ts';
import { parseMail } from './parse-mail.ts';
import { rejectionOf } from '../../../test/expectations.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };
const { signal } = new AbortController();

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
  const delivered = async () =>
    await Promise.all((await readdir(folder)).map(async (name) => await parseMail(await readFile(join(folder, name)))));
  return {
    subject: { mailer: await openOutbox({ folder, from }), delivered },
    close: () => rm(folder, { recursive: true }),
  };
};

describeMailer('OutboxMailer', openFolder, { faults: NO_CONNECTION });

describe('OutboxMailer', () => {
  let root = '';
  let folder = '';

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'outbox-'));
    folder = join(root, 'mails', 'out');
  });

  afterEach(() => rm(root, { recursive: true }));

  it('creates its folder and files with access for their owner only', async () => {
    const outbox = await openOutbox({ folder, from });
    await outbox.send(aMail(), signal);
    const [name = ''] = await readdir(folder);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).to.equal(0o600);
  });

  it('does not break a long link in the raw mail, so that a user can copy the link from the file', async () => {
    const link = `https://ocr.example.org/verify-email?token=${'x'.repeat(100)}`;
    const outbox = await openOutbox({ folder, from });
    await outbox.send(aMail({ text: `Follow\n${link}\n`, html: `<a href="${link}">Follow</a>` }), signal);
    const [name = ''] = await readdir(folder);
    const raw = await readFile(join(folder, name), 'utf8');
    expect(raw).to.include(`\r\n${link}\r\n`).and.include(`<a href="${link}">`);
  });

  it('names files by date and Message-ID, and replaces the file of a mail that is sent again', async () => {
    const outbox = await openOutbox({ folder, from });
    const date = Date.UTC(2027, 0, 15, 8, 0, 0, 123) * 1000 + 456;
    const mail = aMail({ messageId: 'one.two+../three@example.org', date });
    await outbox.send(mail, signal);
    await outbox.send({ ...mail, subject: 'Once more' }, signal);
    await outbox.send({ ...mail, messageId: 'one.two+../three@example.com' }, signal);
    await outbox.send(aMail({ messageId: `${'x'.repeat(300)}@example.org`, date: date - 1_000_000 }), signal);
    const names = (await readdir(folder)).toSorted();
    expect(names).to.have.length(3);
    expect(names[0]).to.match(/^2027-01-15T07-59-59-123Z-x{80}-[0-9a-f]{10}\.eml$/);
    for (const name of names.slice(1))
      expect(name).to.match(/^2027-01-15T08-00-00-123Z-one_two____three-[0-9a-f]{10}\.eml$/);
    const subjects = await Promise.all(
      names.slice(1).map(async (name) => (await parseMail(await readFile(join(folder, name)))).subject),
    );
    expect(subjects.toSorted()).to.deep.equal(['Once more', 'Your document']);
  });

  it('writes CRLF line ends and the headers Auto-Submitted, From and To, without header injection', async () => {
    const outbox = await openOutbox({
      folder,
      from: { name: 'Grüße, "Palimpsest"\r\nBcc: x@example.org', address: from.address },
    });
    await outbox.send(aMail({ text: 'a\nb\rc\r\n', attachment: anAttachment(Buffer.alloc(1000)) }), signal);
    const [name = ''] = await readdir(folder);
    const raw = (await readFile(join(folder, name))).toString('latin1');
    expect(raw).to.not.match(/[^\r]\n|\r[^\n]/);
    expect(raw)
      .to.match(/^Auto-Submitted: auto-generated\r$/m)
      .and.match(/^To: reader@example\.org\r$/m);
    expect(raw.replaceAll(/\r\n(?=[ \t])/g, ''))
      .to.match(/^From: .*<palimpsest@example\.org>\r$/m)
      .and.not.match(/^Bcc/im);
    for (const line of raw.split('\r\n')) expect(line.length).to.be.at.most(998);
  });

  it('reads a large attachment with backpressure, and creates no .eml file before it is complete', async () => {
    const outbox = await openOutbox({ folder, from });
    const chunk = Buffer.alloc(65_536, 7);
    let ahead = 0;
    let visible = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 64; i++) {
        yield chunk;
        const names = await readdir(folder);
        visible += names.filter((name) => name.endsWith('.eml')).length;
        ahead = Math.max(ahead, (i + 1) * chunk.length - (await stat(join(folder, names[0] ?? ''))).size);
      }
    }
    await outbox.send(
      aMail({ attachment: anAttachment(chunk, { byteSize: 64 * chunk.length, open: async () => large() }) }),
      signal,
    );
    expect(visible).to.equal(0);
    expect(ahead).to.be.at.most(1024 * 1024);
    expect(await readdir(folder)).to.have.length(1);
  });

  it('leaves no file behind if reading the attachment fails', async () => {
    const outbox = await openOutbox({ folder, from });
    const broken = anAttachment(new Uint8Array(), {
      open: () => Promise.reject(new Error('the attachment cannot be read')),
    });
    expect(await rejectionOf(outbox.send(aMail({ attachment: broken }), signal))).to.have.property(
      'message',
      'the attachment cannot be read',
    );
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('deletes the temporary files of ended processes when it is opened, and no other files', async () => {
    await mkdir(folder, { recursive: true });
    const { pid } = spawnSync(process.execPath, ['--version']);
    const own = temporaryName();
    const kept = [own, 'notes.part', '.hidden', '2027-mail.eml'];
    const orphan = own.replace(`-${process.pid}-`, `-${pid}-`);
    for (const name of [...kept, orphan]) await writeFile(join(folder, name), 'incomplete');
    if (own.startsWith('.any')) await utimes(join(folder, orphan), 0, 0); // the system does not identify its processes
    await openOutbox({ folder, from });
    expect((await readdir(folder)).toSorted()).to.deep.equal(kept.toSorted());
  });

  it('throws SERVICE_UNAVAILABLE when its folder is missing, is a file or is not writable', async () => {
    const outbox = await openOutbox({ folder, from });
    await rm(folder, { recursive: true });
    expect(isAppError(await rejectionOf(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await writeFile(folder, 'a file');
    expect(isAppError(await rejectionOf(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(isAppError(await rejectionOf(openOutbox({ folder, from })), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await rm(folder);
    await mkdir(folder);
    await outbox.send(aMail(), signal);
    if (process.getuid?.() === 0) return; // permissions do not restrict root
    await chmod(folder, 0o500);
    expect(isAppError(await rejectionOf(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await chmod(folder, 0o700);
  });

  const unlessWindows = process.platform === 'win32' ? it.skip : it;

  unlessWindows(
    'throws SERVICE_UNAVAILABLE when the disk is full, and leaves no incomplete mail (not on Windows, which has no ulimit)',
    async () => {
      const outbox = await openOutbox({ folder, from });
      const script = `const { openOutbox } = await import(${JSON.stringify(new URL('../src/outbox-mailer.ts', import.meta.url).href)});
      const outbox = await openOutbox(${JSON.stringify({ folder, from })});
      const mail = { ...${JSON.stringify(aMail())}, text: 'x'.repeat(200_000) };
      process.stdout.write(await outbox.send(mail, new AbortController().signal).then(() => 'sent', (error) => error.code));`;
      const shell =
        'ulimit -f 100; trap "" XFSZ; exec "$0" --conditions=@palimpsest/source --input-type=module -e "$1"';
      const run = spawnSync('/bin/sh', ['-c', shell, process.execPath, script], { encoding: 'utf8' });
      expect(run.stdout, run.stderr).to.equal('SERVICE_UNAVAILABLE');
      expect(await readdir(folder)).to.deep.equal([]);
      await outbox.send(aMail(), signal);
    },
  );
});
