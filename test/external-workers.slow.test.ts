import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { textPdf } from '../hosts/api/test/samples.ts';
import { Client, freePort, ServiceProcess, until } from './trials/service-process.ts';

describe('two worker processes beside the API process', () => {
  it('complete each document once and send the mails, and the API streams the events and finds the texts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-workers-'));
    const service = new ServiceProcess(folder, await freePort(), { WORKER: 'external' });
    const workerLog = join(folder, 'worker.log');
    const workers: ChildProcess[] = [];
    try {
      await service.start();
      const client = new Client(service);
      await client.signIn();
      const ids: string[] = [];
      for (let i = 0; i < 12; i++)
        ids.push(await client.upload(textPdf(`Document with the number ${i} for two workers`), `${i}.pdf`));
      expect((await (await client.fetch(`/v1/documents/${ids[0]}`)).json()) as unknown).to.have.nested.property(
        'document.status',
        'queued',
      );
      const events = client.fetch(`/v1/documents/${ids[0]}/events`).then((response) => response.text());
      for (let i = 0; i < 2; i++) {
        const log = openSync(workerLog, 'a');
        workers.push(
          spawn(process.execPath, ['--conditions=@palimpsest/source', 'hosts/worker/start.js'], {
            cwd: resolve(import.meta.dirname, '..'),
            env: { PATH: process.env['PATH'], DATA_DIR: folder },
            stdio: ['ignore', log, log],
          }),
        );
        closeSync(log);
      }
      for (const [i, id] of ids.entries()) {
        const text = await until(
          `completion of ${id}`,
          async () => {
            const detail = (await (await client.fetch(`/v1/documents/${id}`)).json()) as {
              ocr: { text: string } | null;
            };
            return detail.ocr?.text;
          },
          50_000,
        );
        expect(text).to.include(`number ${i} `);
      }
      const statuses = [...(await events).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status);
      expect([statuses[0], statuses.at(-1)]).to.deep.equal(['queued', 'completed']);
      expect((await (await client.fetch('/v1/documents/search?q=number')).json()) as unknown).to.have.nested.property(
        'paging.total',
        ids.length,
      );
      // The mail to the new account was queued while no worker ran.
      await until(
        'the mail',
        async () => ((await readdir(join(folder, 'outbox'))).length === 1 ? true : undefined),
        20_000,
      );
      for (const worker of workers) {
        worker.kill('SIGTERM');
        const [code] = (await once(worker, 'exit')) as [number | null];
        expect(code).to.equal(0);
      }
      const completed = (await readFile(workerLog, 'utf8')).match(/document completed/g) ?? [];
      expect(completed).to.have.length(ids.length);
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
      await service.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
