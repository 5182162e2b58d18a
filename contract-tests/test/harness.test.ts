import { expect } from 'chai';
import { type Open, type Without } from '../src/index.ts';
import { describeWith, openForEach } from '../src/kit/harness.ts';
import { openOnce } from '../src/kit/harness.ts';
import { runSuite } from './run-suite.ts';

describe('openForEach', () => {
  it('opens and closes an adapter for each test', async () => {
    const log: string[] = [];
    let count = 0;
    const open: Open<number> = async () => {
      const subject = ++count;
      log.push(`open ${subject}`);
      return { subject, close: async () => void log.push(`close ${subject}`) };
    };
    const run = await runSuite(() =>
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
    const { failed } = await runSuite(() =>
      describe('a suite', () => {
        openForEach(() => Promise.reject(new Error('cannot be opened')));
        it('passes', () => undefined);
      }),
    );
    expect(failed).to.have.length(1);
    expect(failed[0]).to.include('openTheAdapter');
  });
});

describe('openOnce', () => {
  it('opens one adapter for all tests and closes it after the last', async () => {
    const log: string[] = [];
    const open: Open<number> = async () => {
      log.push('open');
      return { subject: 1, close: async () => void log.push('close') };
    };
    const run = await runSuite(() =>
      describe('a suite', () => {
        const opened = openOnce(open);
        for (const title of ['first', 'second']) it(title, () => void log.push(`${title} ${opened().subject}`));
      }),
    );
    expect(run.failed).to.deep.equal([]);
    expect(log).to.deep.equal(['open', 'first 1', 'second 1', 'close']);
  });
});

describe('describeWith', () => {
  const run = (hasCapability: boolean, without: Without) =>
    runSuite(() =>
      describe('a suite', () => {
        const opened = openForEach(async () => ({
          subject: 1,
          ...(hasCapability ? { openSecond: async () => 2 } : {}),
          close: async () => {},
        }));
        describeWith('openSecond', opened, without, (second) => {
          it('uses it', async () => expect(await second()).to.equal(2));
        });
      }),
    );

  it('runs its tests if the adapter has the capability', async () => {
    const { passed, failed, skipped } = await run(true, {});
    expect([passed.length, failed, skipped]).to.deep.equal([1, [], []]);
  });

  it('skips its tests with the reason if the adapter declares that it lacks the capability', async () => {
    const { failed, skipped } = await run(false, { openSecond: 'it lives in one process' });
    expect(failed).to.deep.equal([]);
    expect(skipped.join()).to.include('it lives in one process');
  });

  it('fails if the adapter lacks the capability and does not declare it', async () => {
    expect((await run(false, {})).failed).to.not.be.empty;
  });

  it('fails if the adapter has the capability and declares that it lacks it', async () => {
    expect((await run(true, { openSecond: 'it lives in one process' })).failed).to.not.be.empty;
  });
});
