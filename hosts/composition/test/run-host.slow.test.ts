import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '../../..');

describe('runHost', () => {
  let folder: string;
  let host: ChildProcess;
  let output: string;

  /** Starts a host process with the start function `start` (as source text) and waits until it prints `running`. */
  const run = async (start: string): Promise<void> => {
    const program = `import { runHost } from '@palimpsest/composition'; await runHost('trial', ${start});`;
    host = spawn(process.execPath, ['--conditions=@palimpsest/source', '--input-type=module', '-e', program], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        DATA_DIR: folder,
        OCR_ENGINE: 'wasm',
        PDF_RASTERIZER: 'pdfium',
        SHUTDOWN_TIMEOUT_S: '3',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    output = '';
    host.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    while (!output.includes('running')) await once(host.stdout ?? host, 'data');
  };

  const exitCodeAfter = async (signal: NodeJS.Signals): Promise<number | null> => {
    host.kill(signal);
    const [code] = (await once(host, 'exit')) as [number | null];
    return code;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-host-'));
  });

  afterEach(async () => {
    host.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('exits with status 1 and a log line after SHUTDOWN_TIMEOUT_S if the work does not end', async () => {
    await run(`async () => {
      setInterval(() => console.log('running'), 100);
      return { stop: () => new Promise(() => {}) };
    }`);
    expect(await exitCodeAfter('SIGTERM')).to.equal(1);
    expect(output).to.include('the shutdown timed out');
  });

  it('exits at once with status 0 if SIGTERM arrives during the start', async () => {
    await run(`() => new Promise(() => setInterval(() => console.log('running'), 100))`);
    expect(await exitCodeAfter('SIGTERM')).to.equal(0);
    expect(output).to.not.include('shutting down');
  });
});
