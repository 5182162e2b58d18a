import { expect } from 'chai';
import { describeBlobStore } from '../src/blob-store/contract.ts';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { blobStoreMutants, plainBlobStore } from '../src/mutants/blob-store-mutants.ts';

const without = { faults: NO_CONNECTION };

describeBlobStore('The sound store beside the mutants', plainBlobStore, without);

describe('the contract of BlobStore', () => {
  for (const [flaw, open] of Object.entries(blobStoreMutants)) {
    it(`catches a store that ${flaw}`, async () => {
      expect(await expectCaught(() => describeBlobStore('Mutant', open, without), { bail: true })).to.not.be.empty;
    });
  }
});
