import { MemorySearchIndex, MemoryStore } from '@palimpsest/memory';
import type { SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import type { Open, Without } from '../src/kit/harness.ts';
import { mutant } from '../src/mutants/mutant.ts';
import { plainSearchIndex, searchIndexMutants } from '../src/mutants/search-index-mutants.ts';
import { describeSearchIndex } from '../src/search-index/contract.ts';

const open: Open<SearchIndex> = async () => {
  const store = new MemoryStore();
  const handle = (): SearchIndex => new MemorySearchIndex(store);
  return { subject: handle(), openSecond: async () => handle(), close: async () => {} };
};

const without: Without = { reopen: 'memory ends with its process', faults: NO_CONNECTION };

describe('the contract of SearchIndex', () => {
  const sound = {
    'a sound adapter': mutant<SearchIndex>(() => () => ({})),
    'what the mutants are made of': plainSearchIndex,
  };
  for (const [what, make] of Object.entries(sound)) {
    it(`passes ${what}`, async () => {
      const run = await runInside(() => describeSearchIndex('Sound', make(open), without), { timeoutMs: 20_000 });
      expect(run.errors).to.deep.equal([]);
      expect(run.passed).to.not.be.empty;
    });
  }

  for (const [flaw, make] of Object.entries(searchIndexMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(
        await expectCaught(() => describeSearchIndex('Mutant', make(open), without), { bail: true, timeoutMs: 20_000 }),
      ).to.not.be.empty;
    });
  }
});
