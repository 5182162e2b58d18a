import { aDocument } from '@palimpsest/contract-tests';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';
import { rejectionOf } from '../../../../test/expectations.ts';

await describeOnMongo('A MongoDB server that stops answering', (server) => {
  const database = databaseForSuite(server);

  it('reads and writes throw SERVICE_UNAVAILABLE after the socket timeout, and succeed when the server answers again', async () => {
    const { documents } = await database().open({ socketMs: 200, serverSelectionMs: 500 });
    await documents.check();
    database().proxy.delay(3_600_000); // only the timeout can end a call
    for (const call of [() => documents.find('id'), () => documents.add(aDocument())]) {
      const error = await rejectionOf(call());
      expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
    }
    await database().faults.dropConnections();
    database().proxy.restore();
    const again = aDocument();
    await documents.add(again);
    expect(await documents.find(again.id)).to.deep.equal(again);
  });
});
