import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { blankPng, textPdf } from '../hosts/api/test/samples.ts';
import { Client, freePort, ServiceProcess, until } from './trials/service-process.ts';

describe('the graceful shutdown of a service', () => {
  let folder: string;
  let service: ServiceProcess;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-stop-'));
    service = new ServiceProcess(folder, await freePort(), { SHUTDOWN_TIMEOUT_S: '1' });
    await service.start();
  });

  afterEach(async () => {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('releases its documents and exits with status 0, and the next start completes every document on its first attempt', async () => {
    const client = new Client(service);
    await client.signIn();
    const ids = [
      await client.upload(blankPng(2000, 3000), 'large.png'),
      await client.upload(
        textPdf(...Array.from({ length: 200 }, (_, i) => `Page ${i} of a document with very many pages`)),
        'long.pdf',
      ),
      await client.upload(textPdf('A short document that waits for its turn'), 'short.pdf'),
    ];
    expect(await service.kill('SIGTERM')).to.equal(0);
    await service.start();
    for (const id of ids) {
      await until(
        'completion',
        async () => {
          const { document } = (await (await client.fetch(`/v1/documents/${id}`)).json()) as {
            document: { status: string };
          };
          return document.status === 'completed' ? true : undefined;
        },
        50_000,
      );
    }
    for await (const line of service.logLines()) {
      if (line['msg'] === 'document completed') expect(line['attempt']).to.equal(1);
    }
  });

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`exits with status 0 on ${signal}`, async () => {
      expect(await service.kill(signal)).to.equal(0);
    });
  }
});
