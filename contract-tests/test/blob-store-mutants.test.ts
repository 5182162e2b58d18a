import { expect } from 'chai';
import { describeBlobStore } from '../src/blob-store.contract.ts';
import { expectCaught } from '../src/harness.ts';
import { blobStoreMutants, plainBlobStore } from '../src/mutants/blob-store-mutants.ts';

describeBlobStore('The sound store beside the mutants', plainBlobStore);

describe('the contract of BlobStore', () => {
  for (const [flaw, open] of Object.entries(blobStoreMutants)) {
    it(`catches a store that ${flaw}`, async () => {
      expect(await expectCaught(() => describeBlobStore('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
