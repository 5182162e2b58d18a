import { randomUUID } from 'node:crypto';
import { describeBlobStore, openFaultProxy } from '@palimpsest/contract-tests';
import { openGcs } from '@palimpsest/gcs';
import { describeOnGcs } from '../../../test/services/gcs.ts';
import { freshBucket } from './fresh-bucket.ts';
import { noDelays } from './samples.ts';
import { openScriptedGcs } from './scripted-gcs.ts';

/** A store that reaches its server through a proxy that can fail. */
const openBehindProxy = async (apiEndpoint: string, bucket: string, prefix: string) => {
  const { hostname, port } = new URL(apiEndpoint);
  const proxy = await openFaultProxy({ host: hostname, port: Number(port) });
  const open = () => openGcs({ bucket, prefix, apiEndpoint: `http://${proxy.host}:${proxy.port}`, timing: noDelays });
  return { subject: await open(), openSecond: open, reopen: open, faults: proxy.faults(), close: () => proxy.close() };
};

describeBlobStore('GcsBlobStore', async () => {
  const server = await openScriptedGcs();
  const opened = await openBehindProxy(server.apiEndpoint, server.bucket.name, 'files');
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await server.close();
    },
  };
});

await describeOnGcs('GcsBlobStore', ({ apiEndpoint }) => {
  const bucket = freshBucket(apiEndpoint);
  describeBlobStore('GcsBlobStore', () => openBehindProxy(apiEndpoint, bucket, `test-${randomUUID()}`));
});
