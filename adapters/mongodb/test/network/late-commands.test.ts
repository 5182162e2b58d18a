import { aDocument, aFailedDocument, aProcessingDocument, aSession, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';
import { openLateCommand, type LateCommand } from './late-command.ts';

await describeOnMongo(
  'A command that reaches the server after its connection broke, while it is repeated',
  (server) => {
    const database = databaseForSuite(server);
    let late: LateCommand;

    beforeEach(async () => {
      late = await openLateCommand(database().url);
    });
    afterEach(async () => {
      await database().closeAll();
      await late.close();
    });
    // Without the driver's own repetition: a server that stands alone has none.
    const open = () => database().open({ url: `${late.url}&retryWrites=false&minHeartbeatFrequencyMS=20` });

    it('is no change by somebody else to a document', async () => {
      const { documents } = await open();
      const lease = { token: 'run', claimedAt: at(0), expiresAt: at(30) };
      const held = aProcessingDocument({ run: 'run', lease, version: 2 });
      await documents.add(aDocument({ id: held.id, ownerId: held.ownerId }));
      await documents.replace(held);
      const renewed = { ...held, lease: { ...lease, expiresAt: at(40) }, version: 3 };
      late.delayNextUpdate();
      expect(await documents.replace(renewed)).to.equal(true);
      const failed = aFailedDocument({ id: held.id, ownerId: held.ownerId, version: 4 });
      late.delayNextUpdate();
      expect(await documents.replace(failed)).to.equal(true);
      expect(await documents.find(held.id)).to.deep.equal(failed);
    });

    it('is no rotation of a refresh token by somebody else', async () => {
      const { sessions } = await open();
      const session = aSession();
      await sessions.add(session);
      late.delayNextUpdate();
      expect(
        await sessions.rotate(session.id, {
          from: session.refreshTokenDigest,
          to: 'next',
          usedAt: at(1),
          expiresAt: at(7200),
        }),
      ).to.equal(true);
      expect((await sessions.findByRefreshToken('next'))?.session.id).to.equal(session.id);
    });
  },
);
