import { expect } from 'chai';
import { figureLine, isOver } from './bench.ts';
import { measureCost, measureRatio, toOneSecond } from './ratio.ts';

/** Work whose cost is counted by a clock of the test instead of being measured. */
const simulated = () => {
  const cpu = { micros: 0 };
  const working = (micros: number) => async (): Promise<void> => {
    cpu.micros += micros;
  };
  return { clock: () => cpu.micros, working };
};

describe('measureRatio', () => {
  it('returns 3 for work that costs three times as much as the reference', async () => {
    const { clock, working } = simulated();
    expect(await measureRatio(working(300), working(100), { rounds: 5, roundMs: 1, clock })).to.deep.equal({
      ratio: 3,
      subjectMicros: 300,
      referenceMicros: 100,
    });
  });

  it('ignores a single disturbed round', async () => {
    const { clock, working } = simulated();
    const reference = working(100);
    let calls = 0;
    const disturbed = async (): Promise<void> => {
      calls++;
      await (calls === 40 ? working(1_000_000)() : reference());
    };
    const { ratio } = await measureRatio(disturbed, reference, { rounds: 5, roundMs: 1, clock });
    expect(ratio).to.equal(1);
  });

  it('throws the error of the work', async () => {
    const failure = new Error('no such document');
    const { clock, working } = simulated();
    const refused = await measureRatio(working(1), () => Promise.reject(failure), { clock }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.equal(failure);
  });
});

describe('measureCost', () => {
  it('returns the median cost of one call', async () => {
    const { clock, working } = simulated();
    expect(await measureCost(working(250), 5, clock)).to.equal(250);
  });

  it('is expressed as a ratio to one second by toOneSecond', () => {
    expect(toOneSecond(250_000)).to.deep.equal({ ratio: 0.25, subjectMicros: 250_000, referenceMicros: 1_000_000 });
  });
});

describe('a figure', () => {
  const figure = { what: 'many against few', ratio: 1.5, subjectMicros: 150, referenceMicros: 100 };

  it('exceeds its limit if it is greater or not a number', () => {
    expect(isOver(figure)).to.equal(false);
    expect(isOver({ ...figure, limit: 1.5 })).to.equal(false);
    expect(isOver({ ...figure, limit: 1.49 })).to.equal(true);
    expect(isOver({ ...figure, limit: 2, ratio: Number.NaN })).to.equal(true);
  });

  it('is printed on one line', () => {
    expect(figureLine('list', { ...figure, limit: 2 })).to.equal(
      'list: many against few: ratio 1.50, limit 2.00 ok (150 µs against 100 µs)',
    );
    expect(figureLine('list', { ...figure, limit: 1 })).to.include('limit 1.00 OVER');
    expect(figureLine('list', { ...figure, subjectMicros: 15_000 })).to.include('no limit (15 ms against 100 µs)');
    expect(figureLine('export', { ...figure, to: 'one second' })).to.include(': ratio to one second 1.50, no limit');
  });

  it('of memory is printed in mebibytes', () => {
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

  it('that is not available prints the reason and does not exceed its limit', () => {
    const skipped = { what: 'many against one', skipped: 'there is no /proc' };
    expect(figureLine('memory', skipped)).to.equal('memory: many against one: skipped, because there is no /proc');
    expect(isOver(skipped)).to.equal(false);
  });
});
