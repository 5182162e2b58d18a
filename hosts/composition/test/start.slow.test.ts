import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '../../..');

describe('the start of a host process', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-start-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = (
    args: readonly string[],
    env: Record<string, string>,
  ): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['--conditions=@palimpsest/source', 'hosts/api/start.js', ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: folder, ...env },
      encoding: 'utf8',
      timeout: 120_000,
    });

  it('exits with status 1 and one line for each invalid variable', () => {
    const { status, stderr } = start([], { PORT: 'x', WORKER: 'maybe' });
    expect(status).to.equal(1);
    expect(stderr.trimEnd().split('\n')).to.have.length(2);
    expect(stderr)
      .to.match(/^PORT /m)
      .and.match(/^WORKER /m);
  });

  it('exits with status 1 and one line if SMTP_URL is invalid, and does not show its password', () => {
    const { status, stderr } = start([], { SMTP_URL: 'smtp://user:hunter2@mail.example.org?secure=no' });
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^SMTP_URL is not usable: .*\n$/)
      .and.not.include('hunter2');
  });

  it('exits with status 1 and one line if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { status, stderr } = start([], { PORT: String(port) });
    server.close();
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Palimpsest cannot start: .*EADDRINUSE.*\n$/);
  });

  it('exits with status 1 and one line if DATA_DIR cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const { status, stderr } = start([], { DATA_DIR: join(folder, 'file/data') });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Palimpsest cannot start: .*\n$/);
  });

  it('prints all variables with --help and exits', () => {
    const { status, stdout } = start(['--help'], {});
    expect(status).to.equal(0);
    expect(stdout).to.include('OCR_MAX_ATTEMPTS').and.include('SHUTDOWN_TIMEOUT_S');
  });
});
