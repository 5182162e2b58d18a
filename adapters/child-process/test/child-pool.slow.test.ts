import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ChildPool, ChildPoolOptions } from '@palimpsest/child-process';
import { misbehavingPool, pidOf, unlimited } from './fixtures/pools.ts';
import { appErrorOf, isAlive } from './processes.ts';
import { eventually, rejectionOf } from '../../../test/expectations.ts';

const firstNumber = (parent: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    parent.stdout?.once('data', (output: Buffer) => resolve(Number(output.toString())));
  });

const startParent = (script: string, ...args: string[]): ChildProcess => {
  const path = fileURLToPath(new URL(`./fixtures/${script}`, import.meta.url));
  return spawn(process.execPath, ['--conditions=@palimpsest/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

describe('ChildPool with children that fail', () => {
  const pools: ChildPool[] = [];
  const openPool = (options: Partial<ChildPoolOptions> = {}): ChildPool => {
    const pool = misbehavingPool(options);
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it('replaces a child after an AppError with a cause, which means that its engine failed', async () => {
    const pool = openPool();
    const pid = await pidOf(pool);
    const error = await appErrorOf(pool.run({ kind: 'refuseWithCause' }, unlimited), 'DOCUMENT_DAMAGED');
    expect(String(error.cause)).to.include('trap');
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  for (const [kind, what] of [
    ['hang', 'waits for ever'],
    ['spin', 'computes for ever'],
  ] as const) {
    it(`kills a child at its timeout if it ${what}, and serves the next request with a new child`, async () => {
      const pool = openPool();
      const pid = await pidOf(pool);
      await appErrorOf(pool.run({ kind }, { ...unlimited, timeoutMs: 200 }), 'PAGE_TIMED_OUT');
      await eventually(() => !isAlive(pid));
      expect(await pool.run({ kind: 'echo', value: 1 }, unlimited)).to.equal(1);
    });

    it(`leaves no child behind when this process is killed while the child ${what}`, async () => {
      const parent = startParent('killed-parent.ts', kind);
      const pid = await firstNumber(parent);
      expect(isAlive(pid)).to.equal(true);
      parent.kill('SIGKILL');
      await eventually(() => !isAlive(pid));
    });
  }

  it('kills a child that exceeds its memory limit', async () => {
    const pool = openPool({ memoryLimitBytes: 300_000_000 });
    const pid = await pidOf(pool);
    await appErrorOf(pool.run({ kind: 'grow' }, unlimited), 'PAGE_OUT_OF_MEMORY');
    await eventually(() => !isAlive(pid));
  });

  it('kills a busy child when the signal aborts, and throws the reason of the signal', async () => {
    const pool = openPool();
    const pid = await pidOf(pool);
    const controller = new AbortController();
    const reason = new Error('enough');
    const work = pool.use(undefined, unlimited.signal, (child) => {
      const spinning = child.request({ kind: 'spin' }, { ...unlimited, signal: controller.signal });
      controller.abort(reason);
      return spinning;
    });
    expect(await rejectionOf(work)).to.equal(reason);
    await eventually(() => !isAlive(pid));
  });

  it('replaces a child after `maxUses` uses', async () => {
    const pool = openPool({ maxUses: 2 });
    const pids = [await pidOf(pool), await pidOf(pool), await pidOf(pool)];
    expect(pids[0]).to.equal(pids[1]);
    expect(pids[2]).not.to.equal(pids[0]);
  });

  it('replaces a child that uses more than `maxIdleBytes` of memory after a request', async () => {
    const pool = openPool({ maxIdleBytes: 200_000_000 });
    const pid = await pool.run({ kind: 'keep', bytes: 250_000_000 }, unlimited);
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  it('ends a child that has been idle for `idleMs`', async () => {
    const pool = openPool({ idleMs: 50 });
    const pid = await pidOf(pool);
    await eventually(() => !isAlive(pid));
    expect(await pidOf(pool)).not.to.equal(pid);
  });

  it('lets this process exit while a child is idle', async () => {
    const parent = startParent('exiting-parent.ts');
    const pid = await firstNumber(parent);
    await eventually(() => parent.exitCode !== null);
    expect(parent.exitCode).to.equal(0);
    await eventually(() => !isAlive(pid));
  });
});
