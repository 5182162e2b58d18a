import { once } from 'node:events';
import { createServer } from 'node:net';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { compose } from '../src/compose.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { openLog } from '../src/log.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('composition', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-compose-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('refuses languages whose data is not installed, and says what to install', async () => {
    const config = readConfig({ DATA_DIR: folder, OCR_LANGUAGES: 'eng+xyz' }, 1);
    try {
      await compose(config, await openLog('silent'));
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      expect(String(error)).to.include('OCR_LANGUAGES').and.include('@tesseract.js-data/xyz');
      return;
    }
    throw new Error('it was not refused');
  });

  it('signs tokens with one secret over restarts, and with another one elsewhere', async () => {
    const log = await openLog('silent');
    const open = (env: Record<string, string>) => compose(readConfig({ DATA_DIR: folder, ...env }, 1), log);
    const first = await open({});
    const now = first.ports.clock.now();
    const claims = { accountId: first.ports.ids.next(), sessionId: first.ports.ids.next() };
    const token = first.ports.accessTokens.sign(claims, now, now + 60_000_000);
    await first.close();
    const second = await open({});
    expect(second.ports.accessTokens.verify(token, now)).to.deep.equal(claims);
    await second.close();
    const other = await open({ JWT_SECRET: 'another secret of at least 32 bytes' });
    expect(() => other.ports.accessTokens.verify(token, now)).to.throw();
    await other.close();
  });

  const start = (
    args: readonly string[],
    env: Record<string, string>,
  ): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['--conditions=@palimpsest/source', 'hosts/api/start.js', ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: folder, ...env },
      encoding: 'utf8',
      timeout: 30_000,
    });

  for (const [url, why] of [
    ['mongodb://ada:hunter2@', /host/],
    ['mongodb://ada:hunter2@127.0.0.1:port/db', /127\.0\.0\.1:port/],
    ['mongodb://ada:hunter2%@127.0.0.1/db', /malformed/],
    ['mongodb://ada:hun/ter2@127.0.0.1/db', /unescaped/],
    ['mongodb://ada:x@hunter2@127.0.0.1/db', /./],
    ['mongodb://ada:hunter2@127.0.0.1/db?wrong=1', /wrong is not supported/],
    ['mongodb://ada:hunter2@127.0.0.1/db?authMechanism=hunter2', /cannot read it/],
    ['mongodb+srv://ada:hunter2@a.example.org:27017/db', /port/],
  ] as const) {
    it(`names DATABASE_URL and what is wrong with ${url}, not its password`, async () => {
      const config = readConfig(
        { DATA_DIR: folder, DATABASE_URL: url, JWT_SECRET: 'a secret of at least 32 bytes, for tests' },
        1,
      );
      const error = await compose(config, await openLog('silent')).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(ConfigError);
      const { message } = error as ConfigError;
      expect(message)
        .to.match(/^DATABASE_URL is not usable: /)
        .and.match(why);
      expect(message).not.to.match(/hunter|ter2/);
    });
  }

  it('stops the start with one line for each variable that cannot be used', () => {
    const { status, stderr } = start([], { PORT: 'x', WORKER: 'maybe' });
    expect(status).to.equal(1);
    expect(stderr.trimEnd().split('\n')).to.have.length(2);
    expect(stderr)
      .to.match(/^PORT /m)
      .and.match(/^WORKER /m);
  });

  it('stops the start with one line for a mail server that cannot be used, and does not repeat its password', () => {
    const { status, stderr } = start([], { SMTP_URL: 'smtp://user:hunter2@mail.example.org?secure=no' });
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^SMTP_URL is not usable: .*\n$/)
      .and.not.include('hunter2');
  });

  it('stops the start with one line when its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { status, stderr } = start([], { PORT: String(port) });
    server.close();
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Palimpsest cannot start: .*EADDRINUSE.*\n$/);
  });

  it('stops the start with one line when its folder cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const { status, stderr } = start([], { DATA_DIR: join(folder, 'file/data') });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Palimpsest cannot start: .*\n$/);
  });

  it('prints its variables with --help and does nothing else', () => {
    const { status, stdout } = start(['--help'], {});
    expect(status).to.equal(0);
    expect(stdout).to.include('OCR_MAX_ATTEMPTS').and.include('SHUTDOWN_TIMEOUT_S');
  });
});
