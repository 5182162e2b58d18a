import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '../../..');

describe('a host', () => {
  let folder: string;
  let host: ChildProcess;
  let output: string;

  /** Runs a host whose start is `start`, until it has written `running`. */
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

  const endOf = async (signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> => {
    const begun = performance.now();
    host.kill(signal);
    const [code] = (await once(host, 'exit', { signal: AbortSignal.timeout(15_000) })) as [number | null];
    return { code, ms: performance.now() - begun };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-host-'));
  });

  afterEach(async () => {
    host.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('whose work cannot be ended ends all the same when the time to stop is over, and says so', async () => {
    await run(`async () => {
      setInterval(() => console.log('running'), 100);
      return { stop: () => new Promise(() => {}) };
    }`);
    const { code, ms } = await endOf('SIGTERM');
    expect(ms).to.be.within(2_900, 8_000);
    expect(code).to.equal(1);
    expect(output).to.include('not everything could be ended in time');
  });

  it('that is told to stop while it starts ends at once', async () => {
    await run(`() => new Promise(() => setInterval(() => console.log('running'), 100))`);
    const { code, ms } = await endOf('SIGTERM');
    expect(code).to.equal(0);
    expect(ms).to.be.below(2_500);
  });
});
