import { aDocument, aFailedDocument, aProcessingDocument, aSession, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';
import { openLateCommand, type LateCommand } from './late-command.ts';

await describeOnMongo('A MongoDB command that reaches the server only when the client already retries it', (server) => {
  const database = databaseForSuite(server);
  let late: LateCommand;

  beforeEach(async () => {
    late = await openLateCommand(database().url);
  });
  afterEach(async () => {
    await database().closeAll();
    await late.close();
  });
  // Without the retries of the driver, as on a standalone server.
  const open = () => database().open({ url: `${late.url}&retryWrites=false&minHeartbeatFrequencyMS=20` });

  it('does not count as a conflicting change of a document', async () => {
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

  it('does not count as a conflicting rotation of a refresh token', async () => {
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
});
