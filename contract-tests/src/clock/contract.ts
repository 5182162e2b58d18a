import { expect } from 'chai';
import { formatInstant, type Clock } from '@palimpsest/core';
import { openOnce, type Open } from '../kit/harness.ts';

/** Tests every promise of {@link Clock}. */
export const describeClock = (name: string, open: Open<Clock>): void => {
  describe(`${name}, a Clock`, () => {
    const opened = openOnce(open);

    it('returns whole microseconds since 1970', () => {
      for (let i = 0; i < 1000; i++) expect(Number.isSafeInteger(opened().subject.now())).to.equal(true);
      expect(formatInstant(opened().subject.now())).to.match(/^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    });

    it('never returns an earlier time than before', () => {
      let last = 0;
      for (let i = 0; i < 100_000; i++) {
        const now = opened().subject.now();
        if (now < last) expect.fail(`${now} came after ${last}`);
        last = now;
      }
    });
  });
};
