import { MemoryRevisionRepository, MemoryStore } from '@palimpsest/memory';
import type { RevisionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { describeRevisionRepository, NO_CONNECTION } from '../src/index.ts';
import { changed } from './mutants/mutant.ts';
import { runSuite } from './run-suite.ts';

const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : 'no error was thrown';
};

describe('runSuite', () => {
  it('reports passed, failed and skipped tests by their full titles', async () => {
    const run = await runSuite(() =>
      describe('a suite', () => {
        it('passes', () => undefined);
        it('fails', () => expect(1).to.equal(2));
        it.skip('is skipped', () => undefined);
      }),
    );
    expect(run.passed).to.deep.equal(['a suite passes']);
    expect(run.failed).to.deep.equal(['a suite fails']);
    expect(run.skipped).to.deep.equal(['a suite is skipped']);
    expect(String(run.errors[0])).to.match(/expected 1 to equal 2/);
  });

  it('fails a test that hangs, also if the suite allows more time', async () => {
    const { failed } = await runSuite(
      () =>
        describe('a suite', function () {
          this.timeout(60_000);
          it('hangs', () => new Promise<void>(() => undefined)).timeout(50_000);
        }),
      { timeoutMs: 20 },
    );
    expect(failed).to.deep.equal(['a suite hangs']);
  });

  for (const hook of ['before', 'beforeEach', 'afterEach', 'after'] as const) {
    it(`reports an error in a ${hook} hook as a failure`, async () => {
      const { failed } = await runSuite(() =>
        describe('a suite', () => {
          globalThis[hook](() => {
            throw new Error('the hook failed');
          });
          it('passes', () => undefined);
        }),
      );
      expect(failed).to.have.length(1);
      expect(failed[0]).to.include('" hook');
    });
  }

  it('reports uncaught errors and unhandled rejections as failures of the inner run only', async () => {
    const { failed } = await runSuite(() =>
      describe('a suite', () => {
        it('throws outside its promise', async () => {
          setImmediate(() => {
            throw new Error('thrown outside');
          });
          await new Promise(() => undefined);
        });
        it('leaves a rejection unhandled', async () => {
          void Promise.reject(new Error('rejected outside'));
          await new Promise(() => undefined);
        });
      }),
    );
    expect(failed).to.have.length(2);
  });

  it('stops at the first failure with `bail`', async () => {
    const { failed } = await runSuite(
      () =>
        describe('a suite', () => {
          it('fails', () => expect(1).to.equal(2));
          it('fails too', () => expect(1).to.equal(2));
        }),
      { bail: true },
    );
    expect(failed).to.deep.equal(['a suite fails']);
  });

  it('runs only the tests whose titles contain `only`', async () => {
    const { passed } = await runSuite(
      () =>
        describe('a suite', () => {
          it('runs (this one)', () => undefined);
          it('does not run', () => undefined);
        }),
      { only: '(this one)' },
    );
    expect(passed).to.deep.equal(['a suite runs (this one)']);
  });

  it('restores the globals and listeners of the outer run, also if the suite cannot be described', async () => {
    const before = [globalThis.describe, globalThis.it, process.listeners('uncaughtException')];
    await runSuite(() => describe('a suite', () => void it('passes', () => undefined)));
    const broken = runSuite(() => {
      throw new Error('no suite');
    });
    expect(await messageOf(broken)).to.equal('no suite');
    expect([globalThis.describe, globalThis.it, process.listeners('uncaughtException')]).to.deep.equal(before);
  });
});

describe('the contract suite of RevisionRepository', () => {
  const runWith = (changes: (original: RevisionRepository) => Partial<RevisionRepository>) =>
    runSuite(
      () =>
        describeRevisionRepository(
          'subject',
          async () => {
            const original = new MemoryRevisionRepository(new MemoryStore());
            return { subject: changed<RevisionRepository>(original, changes(original)), close: async () => {} };
          },
          { openSecond: 'the mutants use one handle', reopen: 'the mutants use one handle', faults: NO_CONNECTION },
        ),
      { bail: true },
    );

  it('accepts the memory adapter', async () => {
    const { passed, errors } = await runWith(() => ({}));
    expect(errors).to.deep.equal([]);
    expect(passed).to.not.be.empty;
  });

  it('rejects a memory adapter that lists the oldest revision first', async () => {
    const { failed } = await runWith((original) => ({
      list: async (documentId) => (await original.list(documentId)).toReversed(),
    }));
    expect(failed).to.have.length(1);
    expect(failed[0]).to.not.include('" hook');
  });
});
