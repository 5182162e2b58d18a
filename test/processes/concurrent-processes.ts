import { randomUUID } from 'node:crypto';
import { aDocument, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { runTogether } from './child-process.ts';
import { openStores, type DatabaseLocation } from './database.ts';

const PROCESSES = 4;
const DOCUMENTS = 120;
const CALLS = 25; // of each kind, in each process

/** Opens a database at the same time in several processes, and expects that the document of each is stored. */
export const openTogether = async ({ kind, location }: DatabaseLocation): Promise<void> => {
  const printed = await runTogether(PROCESSES, new URL('open.child.ts', import.meta.url), kind, location);
  const { documents, close } = await openStores({ kind, location });
  try {
    for (const [id = ''] of printed) expect((await documents.find(id))?.id).to.equal(id);
  } finally {
    await close();
  }
};

/** A suite: when four processes try the same change at the same time, exactly one of them succeeds. */
export const describeConcurrentProcesses = (databaseOfTest: () => DatabaseLocation): void => {
  describe('changes by several processes at the same time', function () {
    this.timeout(120_000);
    let stores: Awaited<ReturnType<typeof openStores>>;

    beforeEach(async () => {
      stores = await openStores(databaseOfTest());
    });
    afterEach(() => stores.close());

    const run = async (script: string, argument: number): Promise<readonly string[]> => {
      const { kind, location } = databaseOfTest();
      return (await runTogether(PROCESSES, new URL(script, import.meta.url), kind, location, String(argument))).flat();
    };

    it('lets exactly one of four processes claim each document', async () => {
      const { documents } = stores;
      const ids = Array.from({ length: DOCUMENTS }, () => randomUUID());
      for (const [i, id] of ids.entries()) await documents.add(aDocument({ id, ownerId: `owner ${i % 7}` }));
      expect(await run('claim.child.ts', at(1))).to.have.members(ids);
      expect(await documents.nextClaimable(at(1))).to.equal(undefined);
    });

    it('gives each keyed request, token, mail attempt and revision number to exactly one of four processes', async () => {
      const numbers = Array.from({ length: CALLS }, (_, i) => i);
      for (const i of numbers) {
        await stores.accountTokens.issue({
          accountId: `account ${i}`,
          purpose: 'reset-password',
          digest: `digest ${i}`,
          requestedAt: 1,
          expiresAt: 2,
        });
      }
      const attempts = Array.from({ length: PROCESSES }, (_, i) => i + 1);
      expect(await run('change-once.child.ts', CALLS)).to.have.members([
        ...numbers.flatMap((i) => [`key ${i}`, `token ${i}`, ...attempts.map((attempt) => `mail ${i} ${attempt}`)]),
        ...Array.from({ length: PROCESSES * CALLS }, (_, i) => `revision ${i + 1}`),
      ]);
    });
  });
};
