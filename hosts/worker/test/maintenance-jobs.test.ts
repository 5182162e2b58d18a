import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { pino } from 'pino';
import { checkSearchIndex, cleanUp, removeOrphanedFiles } from '../src/maintenance-jobs.ts';
import { compositionOn } from './composition-in-memory.ts';

const job = (signal = new AbortController().signal) => ({ payload: {}, signal });

describe('a maintenance job', () => {
  it('logs its changes, and logs nothing if it changed nothing', async () => {
    const memory = openMemory();
    for (const isChanged of [true, false]) {
      const lines: string[] = [];
      const count = isChanged ? 3 : 0;
      const composition = {
        ...(await compositionOn(memory, {
          cleanUp: async () => ({ documentsPurged: count, accountsRemoved: 0, recordsExpired: 0 }),
          removeOrphanedFiles: async () => count,
          checkSearchIndex: async () => ({ indexed: count, removed: 0 }),
        })),
        log: pino(
          { base: null },
          { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
        ),
      };
      for (const run of [cleanUp, removeOrphanedFiles, checkSearchIndex])
        expect(await run(composition)(job())).to.equal('done');
      expect(lines).to.deep.equal(
        isChanged ? ['cleanup done', 'orphaned files removed', 'search index corrected'] : [],
      );
    }
  });

  it('starts the check of the search index again when it was interrupted', async () => {
    const memory = openMemory();
    const run = checkSearchIndex(await compositionOn(memory));
    expect(await run(job(AbortSignal.abort()))).to.deep.equal({ retryAt: memory.clock.now() });
  });
});
