import { aDocument } from '@palimpsest/contract-tests';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

await describeOnMongo('A MongoDB that says nothing', (server) => {
  const database = databaseForSuite(server);

  it('is unavailable after the time that it is given, to those who read and to those who write', async function () {
    this.timeout(30_000);
    const { documents } = await database().open({ socketMs: 200, serverSelectionMs: 500 });
    await documents.check();
    database().proxy.delay(60_000);
    for (const call of [() => documents.find('id'), () => documents.add(aDocument())]) {
      const begun = performance.now();
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
      expect(performance.now() - begun).to.be.below(5_000);
    }
    await database().faults.dropConnections();
    database().proxy.restore();
    const again = aDocument();
    await documents.add(again);
    expect(await documents.find(again.id)).to.deep.equal(again);
  });
});
