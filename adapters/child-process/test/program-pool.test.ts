import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import { ProgramPool } from '@palimpsest/child-process';
import { misbehavingCall } from './fixtures/pools.ts';
import { rejectionOf } from '../../../test/expectations.ts';

describe('ProgramPool', () => {
  it('runs at most `slots` programs at a time, in the order of the calls', async () => {
    const pool = new ProgramPool(1);
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (number) => {
        await pool.run(misbehavingCall(['exit', '0']));
        order.push(number);
      }),
    );
    expect(order).to.deep.equal([1, 2, 3]);
  });

  it('rejects a waiting caller when its signal aborts, and serves the caller after it', async () => {
    const pool = new ProgramPool(1);
    const controller = new AbortController();
    const first = pool.run(misbehavingCall(['exit', '0']));
    const second = rejectionOf(pool.run(misbehavingCall(['exit', '0'], { signal: controller.signal })));
    const third = pool.run(misbehavingCall(['exit', '0']));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await second).to.equal(reason);
    expect((await first).exitCode).to.equal(0);
    expect((await third).exitCode).to.equal(0);
  });

  it('when closed, kills the running program and rejects waiting and later callers', async () => {
    const pool = new ProgramPool(1);
    const works = [1, 2].map(() => rejectionOf(pool.run(misbehavingCall(['hang']))));
    await pool.close();
    await pool.close();
    works.push(rejectionOf(pool.run(misbehavingCall(['exit', '0']))));
    for (const error of await Promise.all(works)) expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
  });
});
