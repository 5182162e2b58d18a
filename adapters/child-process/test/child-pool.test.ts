import { expect } from 'chai';
import type { ChildPool } from '@palimpsest/child-process';
import { misbehavingPool, pidOf, unlimited } from './fixtures/pools.ts';
import { appErrorOf, isAlive } from './processes.ts';
import { rejectionOf } from '../../../test/expectations.ts';

describe('ChildPool with one child', () => {
  let pool: ChildPool;
  before(() => {
    process.env['A_SECRET'] = 'swordfish';
    pool = misbehavingPool();
  });
  after(async () => {
    delete process.env['A_SECRET'];
    await pool.close();
  });

  it('passes bytes to the child and back', async () => {
    const value = new Uint8Array([0, 1, 254, 255]);
    expect(await pool.run({ kind: 'echo', value }, unlimited)).to.deep.equal(value);
  });

  it('uses the same child for the next request', async () => {
    expect(await pidOf(pool)).to.equal(await pidOf(pool));
  });

  it('hides the environment and the working folder of this process from the child', async () => {
    const { env, cwd } = await pool.run<{ env: object; cwd: string }>({ kind: 'environment' }, unlimited);
    expect(JSON.stringify(env)).not.to.include('swordfish');
    expect(env).not.to.have.any.keys('HOME', 'PATH');
    expect(cwd).not.to.equal(process.cwd());
  });

  it('throws an AppError of the script and keeps the child', async () => {
    const pid = await pidOf(pool);
    const error = await appErrorOf(pool.run({ kind: 'refuse' }, unlimited), 'DOCUMENT_DAMAGED');
    expect(error.message).to.equal('The document is damaged.');
    expect(await pidOf(pool)).to.equal(pid);
  });

  it('rejects a waiting caller when its signal aborts, and does not disturb the busy child', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    await pool.use(undefined, unlimited.signal, async (child) => {
      const waiting = rejectionOf(pool.run({ kind: 'pid' }, { ...unlimited, signal: controller.signal }));
      controller.abort(reason);
      expect(await waiting).to.equal(reason);
      expect(await child.request({ kind: 'echo', value: 1 }, unlimited)).to.equal(1);
    });
    expect(await pool.run({ kind: 'echo', value: 2 }, unlimited)).to.equal(2);
  });

  it('does not start a request whose signal has already aborted', async () => {
    const reason = new Error('aborted before the call');
    const work = pool.run({ kind: 'pid' }, { ...unlimited, signal: AbortSignal.abort(reason) });
    expect(await rejectionOf(work)).to.equal(reason);
  });

  it('throws ENGINE_CRASHED for any other error of the script, with the details in the cause only', async () => {
    const work = pool.run({ kind: 'throwForeign' }, { ...unlimited, subject: 'Page 3' });
    const error = await appErrorOf(work, 'ENGINE_CRASHED');
    expect(error.message).to.equal('The program that reads page 3 stopped unexpectedly.');
    expect(String(error.cause)).to.include('a secret path');
  });

  it('starts a new child after a child has exited', async () => {
    await appErrorOf(pool.run({ kind: 'exit' }, unlimited), 'ENGINE_CRASHED');
    expect(await pool.run({ kind: 'echo', value: 1 }, unlimited)).to.equal(1);
  });

  it('when closed, kills the busy child and rejects waiting and later callers', async () => {
    const pid = await pidOf(pool);
    const started = Promise.withResolvers<void>();
    const hanging = pool.use(undefined, unlimited.signal, (child) => {
      started.resolve();
      return child.request({ kind: 'hang' }, unlimited);
    });
    const busy = appErrorOf(hanging, 'ENGINE_CRASHED');
    await started.promise;
    const waiting = appErrorOf(pool.run({ kind: 'pid' }, unlimited), 'SERVICE_UNAVAILABLE');
    await pool.close();
    expect(isAlive(pid)).to.equal(false);
    await busy;
    await waiting;
    await appErrorOf(pool.run({ kind: 'pid' }, unlimited), 'SERVICE_UNAVAILABLE');
  });
});

describe('ChildPool with two children', () => {
  let pool: ChildPool;
  before(() => {
    pool = misbehavingPool({ size: 2 });
  });
  after(() => pool.close());

  it('serves many callers with no more than two children', async () => {
    const pids = await Promise.all(Array.from({ length: 7 }, () => pidOf(pool)));
    expect(new Set(pids).size).to.be.within(1, 2);
  });

  it('serves a caller with the idle child that has its affinity, and all its requests with the same child', async () => {
    const bothBusy = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const useChild = (key: 'a' | 'b'): Promise<number> =>
      pool.use(key, unlimited.signal, async (child) => {
        child.affinity = key;
        bothBusy[key].resolve();
        await Promise.all([bothBusy.a.promise, bothBusy.b.promise]);
        const pid = await child.request<number>({ kind: 'pid' }, unlimited);
        expect(await child.request({ kind: 'pid' }, unlimited)).to.equal(pid);
        return pid;
      });
    const [a, b] = await Promise.all([useChild('a'), useChild('b')]);
    expect(a).not.to.equal(b);
    expect(await useChild('b')).to.equal(b);
    expect(await useChild('a')).to.equal(a);
  });
});
