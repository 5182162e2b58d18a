import { describeLongBlobStore } from '@palimpsest/contract-tests';
import { openGcs } from '@palimpsest/gcs';
import { openScriptedGcs } from './scripted-gcs.ts';

describeLongBlobStore('GcsBlobStore', async () => {
  const server = await openScriptedGcs();
  const { apiEndpoint, bucket } = server;
  const subject = await openGcs({ bucket: bucket.name, prefix: 'files', apiEndpoint });
  return { subject, close: () => server.close() };
});
