import { SystemClock, UuidV7Ids } from '@palimpsest/crypto';
import { expect } from 'chai';

const START = 1_795_253_412_000_000;
const HOUR = 3_600_000_000;

describe('SystemClock', () => {
  let wall = START;
  let monotonic = 0;
  const pass = (micros: number): void => {
    wall += micros;
    monotonic += micros;
  };
  // The wall clock has a resolution of one millisecond.
  const aClock = (): SystemClock =>
    new SystemClock({ wall: () => Math.floor(wall / 1000) * 1000, monotonic: () => monotonic });
  beforeEach(() => {
    wall = START;
    monotonic = 0;
  });

  it('returns microseconds between the milliseconds of the wall clock', () => {
    const clock = aClock();
    for (let i = 0; i < 5000; i++) {
      pass(137);
      expect(clock.now()).to.be.within(wall - 1000, wall);
    }
  });

  it('agrees with Date.now()', () => {
    const before = Date.now();
    const now = new SystemClock().now() / 1000;
    const after = Date.now();
    expect(now).to.be.within(before, after + 1); // `Date.now()` is rounded down to a millisecond
  });

  it('follows at once when the wall clock is set forward', () => {
    const clock = aClock();
    wall += HOUR;
    expect(clock.now()).to.equal(START + HOUR);
  });

  it('runs at half speed after the wall clock was set back, until both agree', () => {
    const clock = aClock();
    wall -= HOUR;
    let last = clock.now();
    for (let i = 0; i < 119; i++) {
      pass(HOUR / 60);
      expect(clock.now() - last).to.be.within(HOUR / 120 - 1, HOUR / 120 + 1);
      last = clock.now();
    }
    pass(HOUR / 60);
    pass(HOUR / 60);
    expect(clock.now()).to.be.within(wall - 2000, wall + 2000);
  });

  it('agrees at once if it is read again long after the wall clock was set back', () => {
    const clock = aClock();
    wall -= HOUR;
    pass(5 * HOUR);
    expect(clock.now()).to.equal(wall);
  });
});

describe('UuidV7Ids', () => {
  const msOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

  it('starts with the milliseconds since 1970', () => {
    expect(msOf(new UuidV7Ids(() => 1_795_253_412_345).next())).to.equal(1_795_253_412_345);
    const before = Date.now();
    const ms = msOf(new UuidV7Ids().next());
    expect(ms).to.be.within(before, Date.now());
  });

  it('returns ascending ids while its clock stops or goes back', () => {
    let ms = 1_795_253_412_345;
    const ids = new UuidV7Ids(() => ms);
    const made = Array.from({ length: 50_000 }, (_, i) => {
      if (i === 1000) ms -= 3_600_000;
      return ids.next();
    });
    expect(made).to.deep.equal(made.toSorted());
    expect(new Set(made).size).to.equal(50_000);
    expect(msOf(made.at(-1) ?? '')).to.equal(1_795_253_412_345);
  });
});
