import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '@palimpsest/core';
import { NO_CONNECTION, aMail, anAttachment, describeMailer } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { openOutbox } from '../src/outbox-mailer.ts';
import { parsedMail } from './parsed-mail.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };
const { signal } = new AbortController();

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
  const delivered = async () =>
    await Promise.all(
      (await readdir(folder)).map(async (name) => await parsedMail(await readFile(join(folder, name)))),
    );
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

  const rejection = (action: Promise<unknown>): Promise<unknown> =>
    action.then(
      () => 'it was done',
      (error: unknown) => error,
    );

  it('makes its folder and its files for their owner alone', async () => {
    const outbox = await openOutbox({ folder, from });
    await outbox.send(aMail(), signal);
    const [name = ''] = await readdir(folder);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).to.equal(0o600);
  });

  it('leaves a link whole in the raw mail, so that it can be copied from the file', async () => {
    const link = `https://ocr.example.org/verify-email?token=${'x'.repeat(100)}`;
    const outbox = await openOutbox({ folder, from });
    await outbox.send(aMail({ text: `Follow\n${link}\n`, html: `<a href="${link}">Follow</a>` }), signal);
    const [name = ''] = await readdir(folder);
    const raw = await readFile(join(folder, name), 'utf8');
    expect(raw).to.include(`\r\n${link}\r\n`).and.include(`<a href="${link}">`);
  });

  it('names files by date and Message-ID, so that they sort and a mail sent again replaces its own', async () => {
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
      names.slice(1).map(async (name) => (await parsedMail(await readFile(join(folder, name)))).subject),
    );
    expect(subjects.toSorted()).to.deep.equal(['Once more', 'Your document']);
  });

  it('ends each line with CRLF, says that a machine wrote the mail, and names sender and recipient', async () => {
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

  it('reads a large attachment no faster than it can write it, and shows nothing before the end', async () => {
    const outbox = await openOutbox({ folder, from });
    const chunk = Buffer.alloc(65_536, 7);
    let ahead = 0;
    let shown = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 512; i++) {
        yield chunk;
        const names = await readdir(folder);
        shown += names.filter((name) => name.endsWith('.eml')).length;
        ahead = Math.max(ahead, (i + 1) * chunk.length - (await stat(join(folder, names[0] ?? ''))).size);
      }
    }
    await outbox.send(
      aMail({ attachment: anAttachment(chunk, { byteSize: 512 * chunk.length, open: async () => large() }) }),
      signal,
    );
    expect(shown).to.equal(0);
    expect(ahead).to.be.at.most(1024 * 1024);
    expect(await readdir(folder)).to.have.length(1);
  });

  it('leaves nothing behind of a mail that fails', async () => {
    const outbox = await openOutbox({ folder, from });
    const broken = anAttachment(new Uint8Array(), { open: () => Promise.reject(new Error('the source broke')) });
    expect(await rejection(outbox.send(aMail({ attachment: broken }), signal))).to.have.property(
      'message',
      'the source broke',
    );
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('removes what died processes left, and neither what others write nor what is not its own', async () => {
    await mkdir(folder, { recursive: true });
    const { pid } = spawnSync(process.execPath, ['--version']);
    const machine = hostname().replaceAll(/[^\w-]/g, '_');
    const uuid = '01941f29-7c00-7000-8000-000000000001';
    const kept = [
      `.${machine}.${process.pid}.${uuid}.part`,
      `.elsewhere.${pid}.${uuid}.part`,
      'notes.part',
      '.hidden',
      '2027-mail.eml',
    ];
    for (const name of [...kept, `.${machine}.${pid}.${uuid}.part`]) await writeFile(join(folder, name), 'half');
    await openOutbox({ folder, from });
    expect((await readdir(folder)).toSorted()).to.deep.equal(kept.toSorted());
  });

  it('is unavailable where its folder is gone, is a file, or cannot be written to', async () => {
    const outbox = await openOutbox({ folder, from });
    await rm(folder, { recursive: true });
    expect(isAppError(await rejection(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await writeFile(folder, 'a file');
    expect(isAppError(await rejection(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(isAppError(await rejection(openOutbox({ folder, from })), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await rm(folder);
    await mkdir(folder);
    await outbox.send(aMail(), signal);
    if (process.getuid?.() === 0) return; // permissions do not bind root
    await chmod(folder, 0o500);
    expect(isAppError(await rejection(outbox.send(aMail(), signal)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    await chmod(folder, 0o700);
  });

  const unlessWindows = process.platform === 'win32' ? it.skip : it;

  unlessWindows(
    'is unavailable where the disk takes no more, and shows no half mail (not on Windows, which has no ulimit)',
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
