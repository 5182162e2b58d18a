import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import type { AppError, ErrorCode } from '@palimpsest/core';
import { ChildPool } from '@palimpsest/child-process';
import type { ChildPoolOptions } from '@palimpsest/child-process';

const fixture = (name: string): URL => new URL(`./fixtures/${name}`, import.meta.url);

const firstOutput = (parent: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    parent.stdout?.once('data', (told: Buffer) => resolve(Number(told.toString())));
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const until = async (condition: () => boolean, withinMs = 20_000): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition was not met in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const refusal = async (work: Promise<unknown>, code: ErrorCode): Promise<AppError> => {
  try {
    await work;
  } catch (error) {
    if (isAppError(error, code)) return error;
    throw error;
  }
  throw new Error(`${code} was expected.`);
};

const patient = { timeoutMs: 30_000, signal: new AbortController().signal };

const pidOf = (pool: ChildPool): Promise<number> => pool.run<number>({ kind: 'pid' }, patient);

const startParent = (script: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, ['--conditions=@palimpsest/source', fileURLToPath(fixture(script)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

describe('ChildPool', () => {
  const pools: ChildPool[] = [];
  const aPool = (options: Partial<ChildPoolOptions> = {}): ChildPool => {
    const pool = new ChildPool({ script: fixture('misbehaving-child.ts'), size: 1, ...options });
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it('carries bytes to the child and back', async () => {
    const value = new Uint8Array([0, 1, 254, 255]);
    expect(await aPool().run({ kind: 'echo', value }, patient)).to.deep.equal(value);
  });

  it('keeps a child warm for the next request', async () => {
    const pool = aPool();
    expect(await pidOf(pool)).to.equal(await pidOf(pool));
  });

  it('starts no more children than it may and serves the rest in turn', async () => {
    const pool = aPool({ size: 2 });
    const pids = await Promise.all(Array.from({ length: 7 }, () => pidOf(pool)));
    expect(new Set(pids).size).to.be.within(1, 2);
  });

  it('gives a holder the same child for several requests and prefers the child that holds what is asked for', async () => {
    const pool = aPool({ size: 2 });
    const holds = (key: string): Promise<number> =>
      pool.use(key, patient.signal, async (child) => {
        child.affinity = key;
        const first = await child.request<number>({ kind: 'pid' }, patient);
        expect(await child.request({ kind: 'pid' }, patient)).to.equal(first);
        return first;
      });
    const [a, b] = await Promise.all([holds('a'), holds('b')]);
    expect(a).not.to.equal(b);
    expect(await holds('b')).to.equal(b);
    expect(await holds('a')).to.equal(a);
  });

  it('tells the child nothing of the environment but what it needs', async () => {
    process.env['A_SECRET'] = 'swordfish';
    try {
      const { env, cwd } = await aPool().run<{ env: object; cwd: string }>({ kind: 'environment' }, patient);
      expect(JSON.stringify(env)).not.to.include('swordfish');
      expect(env).not.to.have.any.keys('HOME', 'PATH');
      expect(cwd).not.to.equal(process.cwd());
    } finally {
      delete process.env['A_SECRET'];
    }
  });

  it('passes a refusal of the child on and keeps the child', async () => {
    const pool = aPool();
    const pid = await pidOf(pool);
    const error = await refusal(pool.run({ kind: 'refuse' }, patient), 'DOCUMENT_DAMAGED');
    expect(error.message).to.equal('The document is damaged.');
    expect(await pidOf(pool)).to.equal(pid);
  });

  it('replaces a child whose refusal came from a fault of its engine', async () => {
    const pool = aPool();
    const pid = await pidOf(pool);
    const error = await refusal(pool.run({ kind: 'refuseSpoilt' }, patient), 'DOCUMENT_DAMAGED');
    expect(String(error.cause)).to.include('trap');
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  it('calls anything else that is thrown a crash, with the details in the cause alone', async () => {
    const error = await refusal(
      aPool().run({ kind: 'throwForeign' }, { ...patient, subject: 'Page 3' }),
      'ENGINE_CRASHED',
    );
    expect(error.message).to.equal('The program that reads page 3 stopped unexpectedly.');
    expect(String(error.cause)).to.include('a secret path');
  });

  it('reports a child that exits and works on with a new one', async () => {
    const pool = aPool();
    await refusal(pool.run({ kind: 'exit' }, patient), 'ENGINE_CRASHED');
    expect(await pool.run({ kind: 'echo', value: 1 }, patient)).to.equal(1);
  });

  for (const kind of ['hang', 'spin']) {
    it(`kills a child that passes its time (${kind})`, async () => {
      const pool = aPool();
      const pid = await pidOf(pool);
      await refusal(pool.run({ kind }, { ...patient, timeoutMs: 200 }), 'PAGE_TIMED_OUT');
      await until(() => !isAlive(pid));
      expect(await pool.run({ kind: 'echo', value: 1 }, patient)).to.equal(1);
    });
  }

  it('kills a child that passes its memory', async () => {
    const pool = aPool({ memoryLimitBytes: 300_000_000 });
    const pid = await pidOf(pool);
    await refusal(pool.run({ kind: 'grow' }, patient), 'PAGE_OUT_OF_MEMORY');
    await until(() => !isAlive(pid));
  });

  it('kills a child whose work is aborted and throws the reason of the signal', async () => {
    const pool = aPool();
    const pid = await pidOf(pool);
    const controller = new AbortController();
    const reason = new Error('enough');
    const work = pool.use(undefined, patient.signal, (child) => {
      const spinning = child.request({ kind: 'spin' }, { ...patient, signal: controller.signal });
      controller.abort(reason);
      return spinning;
    });
    expect(await work.catch((error: unknown) => error)).to.equal(reason);
    await until(() => !isAlive(pid));
  });

  it('lets a waiting caller go when its signal aborts, without harm to the one at work', async () => {
    const pool = aPool();
    const controller = new AbortController();
    const reason = new Error('enough');
    await pool.use(undefined, patient.signal, async (child) => {
      const waiting = pool.run({ kind: 'pid' }, { ...patient, signal: controller.signal });
      controller.abort(reason);
      expect(await waiting.catch((error: unknown) => error)).to.equal(reason);
      expect(await child.request({ kind: 'echo', value: 1 }, patient)).to.equal(1);
    });
    expect(await pool.run({ kind: 'echo', value: 2 }, patient)).to.equal(2);
  });

  it('begins nothing for a signal that is aborted already', async () => {
    const reason = new Error('before');
    const work = aPool().run({ kind: 'pid' }, { ...patient, signal: AbortSignal.abort(reason) });
    expect(await work.catch((error: unknown) => error)).to.equal(reason);
  });

  it('replaces a child after its uses', async () => {
    const pool = aPool({ maxUses: 2 });
    const pids = [await pidOf(pool), await pidOf(pool), await pidOf(pool)];
    expect(pids[0]).to.equal(pids[1]);
    expect(pids[2]).not.to.equal(pids[0]);
  });

  it('replaces a child that keeps too much memory after its work', async () => {
    const pool = aPool({ restingBytes: 200_000_000 });
    const pid = await pool.run({ kind: 'keep', bytes: 250_000_000 }, patient);
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  it('ends a child that has long had no work', async () => {
    const pool = aPool({ idleMs: 50 });
    const pid = await pidOf(pool);
    await until(() => !isAlive(pid));
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  it('ends its children when it is closed, and refuses those at work, those who wait and those who come', async () => {
    const pool = aPool();
    const pid = await pidOf(pool);
    const atWork = refusal(pool.run({ kind: 'spin' }, patient), 'ENGINE_CRASHED');
    const waiting = refusal(pool.run({ kind: 'pid' }, patient), 'SERVICE_UNAVAILABLE');
    await pool.close();
    expect(isAlive(pid)).to.equal(false);
    await atWork;
    await waiting;
    await refusal(pool.run({ kind: 'pid' }, patient), 'SERVICE_UNAVAILABLE');
  });

  for (const kind of ['hang', 'spin']) {
    it(`leaves no child behind when its process is killed, even in the middle of work (${kind})`, async () => {
      const parent = startParent('doomed-parent.ts', kind);
      const pid = await firstOutput(parent);
      expect(isAlive(pid)).to.equal(true);
      parent.kill('SIGKILL');
      await until(() => !isAlive(pid), 10_000);
    });
  }

  it('does not keep its process running for an idle child', async () => {
    const parent = startParent('leaving-parent.ts');
    const pid = await firstOutput(parent);
    await until(() => parent.exitCode !== null);
    expect(parent.exitCode).to.equal(0);
    await until(() => !isAlive(pid));
  });
});
