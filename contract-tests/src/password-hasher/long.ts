import { expect } from 'chai';
import type { PasswordHasher } from '@palimpsest/core';
import { cpuMsOf } from '../kit/cpu-time.ts';
import { openOnce, type Open } from '../kit/harness.ts';

/** Compares the CPU time of the calls of a `PasswordHasher`. This is a measurement: call it from a slow test. */
export const describeLongPasswordHasher = (name: string, open: Open<PasswordHasher>): void => {
  describe(`${name}, a PasswordHasher, with measured calls`, () => {
    const opened = openOnce(open);
    const hasher = (): PasswordHasher => opened().subject;

    it('takes about as much CPU time without a hash as with one', async () => {
      const hash = await hasher().hash('timed');
      let [withHash, without] = [Infinity, Infinity];
      for (let i = 0; i < 3; i++) {
        withHash = Math.min(withHash, await cpuMsOf(() => hasher().verify('wrong', hash)));
        without = Math.min(without, await cpuMsOf(() => hasher().verify('wrong', undefined)));
      }
      // A hasher that skips the work takes hundreds of times less. CPU time does not depend on the load of the machine.
      expect(without, 'CPU time in ms').to.be.above(withHash / 10 - 1);
    });
  });
};
