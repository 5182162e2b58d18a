import type { BlobStore } from '@palimpsest/core';
import { openLocalStorage } from '@palimpsest/local-storage';
import { MemoryClock, MemoryRateCounters, MemoryStore } from '@palimpsest/memory';
import {
  describeRepositoriesAgree,
  inFolder,
  memoryContestant,
  silentOperations,
  sqliteContestant,
} from '../../test/agreement.ts';
import {
  blobModel,
  type Contestant,
  describeAgreement,
  rateCountersModel,
  type TimedRateCounters,
} from '../src/index.ts';

const seeds = [20_261_121];
const silent = [...silentOperations, 'delete', 'clear', 'decrement', 'advance the clock'];

describeRepositoriesAgree(memoryContestant, sqliteContestant, seeds);

const folder: Contestant<BlobStore> = {
  name: 'folder',
  open: async () => {
    const { handle, close } = await inFolder(
      (path) => openLocalStorage({ folder: path }),
      async () => {},
    );
    return { subject: handle, close };
  },
};
describeAgreement('BlobStore', {
  model: blobModel,
  first: memoryContestant((ports) => ports.blobs),
  second: folder,
  seeds,
  silent,
});

const counters = (name: string, startMs: number): Contestant<TimedRateCounters> => ({
  name,
  open: async () => {
    const clock = new MemoryClock(startMs * 1000);
    const subject = {
      counters: new MemoryRateCounters(new MemoryStore(), clock),
      advance: (ms: number) => clock.advance(ms),
      now: () => clock.now(),
    };
    return { subject, close: async () => {} };
  },
});
describeAgreement('RateCounters', {
  model: rateCountersModel,
  first: counters('one', 1_000),
  second: counters('another', 5_000_000),
  seeds,
  silent,
});
