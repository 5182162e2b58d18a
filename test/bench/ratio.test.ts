import { expect } from 'chai';
import { figureLine, isOver } from './bench.ts';
import { measureCost, measureRatio, toOneSecond } from './ratio.ts';

const working = (steps: number) => {
  let sum = 0;
  return async (): Promise<number> => {
    for (let i = 0; i < steps; i++) sum = Math.imul(sum + i, 31);
    return sum;
  };
};

describe('measuring how two pieces of work compare', () => {
  it('tells three times the work from the same', async () => {
    const options = { rounds: 11, roundMs: 5 };
    const same = await measureRatio(working(100_000), working(100_000), options);
    expect(same.ratio).to.be.within(0.5, 1.8);
    const more = await measureRatio(working(300_000), working(100_000), options);
    expect(more.ratio).to.be.within(2, 4.5);
    expect(more.subjectMicros).to.be.above(more.referenceMicros);
  });

  it('counts the work and not the time that passes', async () => {
    const waiting = async (): Promise<void> => {
      await working(100_000)();
      await new Promise((resolve) => setTimeout(resolve, 3));
    };
    const { ratio } = await measureRatio(waiting, working(100_000), { rounds: 5, roundMs: 3 });
    // A hundred thousand steps take a tenth of a millisecond.
    expect(ratio).to.be.below(15);
  });

  it('lets the work fail', async () => {
    const failure = new Error('no such document');
    const refused = await measureRatio(working(1), () => Promise.reject(failure)).catch((error: unknown) => error);
    expect(refused).to.equal(failure);
  });
});

describe('measuring what one piece of work costs', () => {
  it('gives the time of the processor of one call', async () => {
    const [much, little] = [await measureCost(working(8_000_000), 5), await measureCost(working(1_000_000), 5)];
    expect(much / little).to.be.within(3, 20);
  });

  it('is compared to one second', () => {
    expect(toOneSecond(250_000)).to.deep.equal({ ratio: 0.25, subjectMicros: 250_000, referenceMicros: 1_000_000 });
  });
});

describe('a figure', () => {
  const figure = { what: 'many against few', ratio: 1.5, subjectMicros: 150, referenceMicros: 100 };

  it('is over above its limit, and where it is no number', () => {
    expect(isOver(figure)).to.equal(false);
    expect(isOver({ ...figure, limit: 1.5 })).to.equal(false);
    expect(isOver({ ...figure, limit: 1.49 })).to.equal(true);
    expect(isOver({ ...figure, limit: 2, ratio: Number.NaN })).to.equal(true);
  });

  it('is shown on one line', () => {
    expect(figureLine('list', { ...figure, limit: 2 })).to.equal(
      'list: many against few: ratio 1.50, limit 2.00 ok (150 µs against 100 µs)',
    );
    expect(figureLine('list', { ...figure, limit: 1 })).to.include('limit 1.00 OVER');
    expect(figureLine('list', { ...figure, subjectMicros: 15_000 })).to.include('no limit (15 ms against 100 µs)');
    expect(figureLine('export', { ...figure, to: 'one second' })).to.include(': ratio to one second 1.50, no limit');
  });

  it('of memory is shown in mebibytes', () => {
    const bytes = {
      what: 'many against one',
      ratio: 1.5,
      limit: 2,
      subjectBytes: 300 * 2 ** 20,
      referenceBytes: 200 * 2 ** 20,
    };
    expect(figureLine('memory', bytes)).to.equal(
      'memory: many against one: ratio 1.50, limit 2.00 ok (300 MiB against 200 MiB)',
    );
  });

  it('that cannot be had says why, and is not over', () => {
    const skipped = { what: 'many against one', skipped: 'there is no /proc' };
    expect(figureLine('memory', skipped)).to.equal('memory: many against one: skipped, as there is no /proc');
    expect(isOver(skipped)).to.equal(false);
  });
});
