import { expect } from 'chai';
import { peakDuring, whyNoPeaks } from './peak-memory.ts';

const MIB = 2 ** 20;

/** Allocates memory and frees it at once. */
const allocateBriefly = async (bytes: number): Promise<void> => {
  const memory = new ArrayBuffer(bytes);
  new Uint8Array(memory).fill(1);
  memory.transfer(0);
};

describe('peakDuring', () => {
  before(async function () {
    const reason = await whyNoPeaks();
    if (reason === undefined) return;
    console.log(`      skipped: ${reason}`);
    this.skip();
  });

  it('includes memory that is allocated briefly during the task, and only that', async () => {
    const before = await peakDuring(process.pid, async () => {});
    const during = await peakDuring(process.pid, () => allocateBriefly(200 * MIB));
    const after = await peakDuring(process.pid, async () => {});
    expect(during - before).to.be.within(150 * MIB, 250 * MIB);
    expect(during - after).to.be.within(150 * MIB, 250 * MIB);
  });
});
