import { expect } from 'chai';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import { describeWith, openForEach, openOnce, type Open, type Without } from '../src/kit/harness.ts';

const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? error.message : 'no Error was thrown';
  }
  return 'nothing was thrown';
};

describe('expectCaught', () => {
  it('resolves with the titles of the tests that failed', async () => {
    const titles = await expectCaught(() =>
      describe('a suite', () => {
        it('passes', () => undefined);
        it('fails', () => expect(1).to.equal(2));
      }),
    );
    expect(titles).to.deep.equal(['a suite fails']);
  });

  it('throws if every test passed', async () => {
    const run = expectCaught(() => describe('a suite', () => void it('passes', () => undefined)));
    expect(await messageOf(run)).to.equal('Not caught: all 1 tests of the suite passed');
  });

  it('throws if there is no test', async () => {
    expect(await messageOf(expectCaught(() => undefined))).to.match(/no test that ran/);
    const skipping = expectCaught(() => describe('a suite', () => void it.skip('is skipped')));
    expect(await messageOf(skipping)).to.match(/no test that ran/);
  });

  it('counts a test that hangs', async () => {
    const titles = await expectCaught(
      () => describe('a suite', () => void it('hangs', () => new Promise<void>(() => undefined))),
      { timeoutMs: 20 },
    );
    expect(titles).to.deep.equal(['a suite hangs']);
  });

  it('shortens the time that a suite gives itself', async () => {
    const titles = await expectCaught(
      () =>
        describe('a suite', function () {
          this.timeout(60_000);
          it('hangs', () => new Promise<void>(() => undefined)).timeout(50_000);
        }),
      { timeoutMs: 20 },
    );
    expect(titles).to.have.length(1);
  });

  for (const hook of ['before', 'beforeEach', 'afterEach', 'after'] as const) {
    it(`counts a throwing ${hook} hook`, async () => {
      const titles = await expectCaught(() =>
        describe('a suite', () => {
          globalThis[hook](() => {
            throw new Error('the hook failed');
          });
          it('passes', () => undefined);
        }),
      );
      expect(titles).to.have.length(1);
      expect(titles[0]).to.match(/hook/);
    });
  }

  it('counts an error that nobody caught, and keeps it from the run outside', async () => {
    const titles = await expectCaught(() =>
      describe('a suite', () => {
        it('throws outside its promise', async () => {
          setImmediate(() => {
            throw new Error('thrown outside');
          });
          await new Promise(() => undefined);
        });
        it('leaves a rejection behind', async () => {
          void Promise.reject(new Error('rejected outside'));
          await new Promise(() => undefined);
        });
      }),
    );
    expect(titles).to.have.length(2);
  });

  it('stops at the first failure where it is told to', async () => {
    const titles = await expectCaught(
      () =>
        describe('a suite', () => {
          it('fails', () => expect(1).to.equal(2));
          it('fails too', () => expect(1).to.equal(2));
        }),
      { bail: true },
    );
    expect(titles).to.deep.equal(['a suite fails']);
  });

  it('gives the globals and the listeners back, also when describing throws', async () => {
    const before = [globalThis.describe, globalThis.it, process.listeners('uncaughtException')];
    await runInside(() => describe('a suite', () => void it('passes', () => undefined)));
    const broken = runInside(() => {
      throw new Error('no suite');
    });
    expect(await messageOf(broken)).to.equal('no suite');
    expect([globalThis.describe, globalThis.it, process.listeners('uncaughtException')]).to.deep.equal(before);
  });
});

describe('openForEach', () => {
  it('opens a new adapter for each test and closes it', async () => {
    const log: string[] = [];
    let count = 0;
    const open: Open<number> = () => {
      const subject = ++count;
      log.push(`open ${subject}`);
      return Promise.resolve({
        subject,
        close: () => {
          log.push(`close ${subject}`);
          return Promise.resolve();
        },
      });
    };
    const run = await runInside(() =>
      describe('a suite', () => {
        const opened = openForEach(open);
        it('first', () => void log.push(`test ${opened().subject}`));
        it('second', () => void log.push(`test ${opened().subject}`));
      }),
    );
    expect(run.failed).to.deep.equal([]);
    expect(log).to.deep.equal(['open 1', 'test 1', 'close 1', 'open 2', 'test 2', 'close 2']);
  });

  it('fails the suite if the adapter cannot be opened', async () => {
    const titles = await expectCaught(() =>
      describe('a suite', () => {
        openForEach(() => Promise.reject(new Error('cannot be opened')));
        it('passes', () => undefined);
      }),
    );
    expect(titles[0]).to.match(/openTheAdapter/);
  });
});

describe('openOnce', () => {
  it('opens one adapter for all tests and closes it after the last', async () => {
    const log: string[] = [];
    const open: Open<number> = async () => {
      log.push('open');
      return { subject: 1, close: async () => void log.push('close') };
    };
    const run = await runInside(() =>
      describe('a suite', () => {
        const opened = openOnce(open);
        for (const title of ['first', 'second']) it(title, () => void log.push(`${title} ${opened().subject}`));
      }),
    );
    expect(run.failed).to.deep.equal([]);
    expect(log).to.deep.equal(['open', 'first 1', 'second 1', 'close']);
  });
});

const suiteWith = (gives: boolean, without: Without) => (): void =>
  void describe('a suite', () => {
    const opened = openForEach(() =>
      Promise.resolve({
        subject: 1,
        ...(gives ? { openSecond: () => Promise.resolve(2) } : {}),
        close: () => Promise.resolve(),
      }),
    );
    describeWith('openSecond', opened, without, (second) => {
      it('uses it', async () => expect(await second()).to.equal(2));
    });
  });

describe('describeWith', () => {
  it('runs the tests if the adapter has the capability', async () => {
    const run = await runInside(suiteWith(true, {}));
    expect(run).to.deep.include({ failed: [], skipped: [] });
    expect(run.passed).to.have.length(1);
  });

  it('skips the tests and shows the reason if the adapter excludes the capability', async () => {
    const run = await runInside(suiteWith(false, { openSecond: 'it lives in one process' }));
    expect(run.failed).to.deep.equal([]);
    expect(run.skipped.join()).to.match(/skipped: it lives in one process/);
  });

  it('fails if the adapter neither provides nor excludes the capability, or does both', async () => {
    await expectCaught(suiteWith(false, {}));
    await expectCaught(suiteWith(true, { openSecond: 'it lives in one process' }));
  });
});
