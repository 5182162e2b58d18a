import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { padded, textPdf } from '../../hosts/api/test/samples.ts';
import { Client, freePort, ServiceProcess } from './service-process.ts';

const MIB = 1024 * 1024;

const residentMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
};

/** Sends `count` files of 25 MiB at once and measures the memory of the API process, which runs no worker. */
const parallelUploads = async (count: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-uploads-'));
  const service = new ServiceProcess(folder, await freePort(), { WORKER: 'external' });
  try {
    await service.start();
    const client = new Client(service);
    await client.signIn();
    const file = padded(textPdf('Twenty-five mebibytes of white space'), 25 * MIB);
    await client.upload(file, 'first.pdf');
    const before = await residentMiB(service.pid);
    let peak = before;
    const watch = setInterval(() => {
      void residentMiB(service.pid).then((now) => {
        peak = Math.max(peak, now);
      });
    }, 50);
    const begun = performance.now();
    const results = await Promise.allSettled(Array.from({ length: count }, (_, i) => client.upload(file, `${i}.pdf`)));
    clearInterval(watch);
    for (const result of results) if (result.status === 'rejected') console.log('refused:', result.reason);
    const answered = results.filter(({ status }) => status === 'fulfilled').length;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(
      `${answered} of ${count} uploads of 25 MiB accepted in ${seconds} s; API memory ${before} MiB before, ${peak} MiB at most`,
    );
  } finally {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
};

await parallelUploads(Number(process.argv[2] ?? 30));
