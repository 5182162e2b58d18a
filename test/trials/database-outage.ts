// Is every accepted document read, and what does the API answer, when the database was away under load? Usage:
//   node --conditions=@palimpsest/source test/trials/database-outage.ts [SECONDS] [STOP-COMMAND START-COMMAND]
// with TEST_MONGODB_URL, and TEST_GCS_EMULATOR_HOST for files in a bucket. Without commands a proxy before the database
// cuts all connections and refuses new ones; with them, they stop and start the server itself.
import { execSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFaultProxy } from '@palimpsest/contract-tests';
import { MongoClient } from 'mongodb';
import { textPdf } from '../../hosts/api/test/samples.ts';
import { Cluster } from './cluster.ts';
import { Client, freePort, until } from './service-process.ts';

const [seconds = '30', stopCommand, startCommand] = process.argv.slice(2);
const { TEST_MONGODB_URL: serverUrl, TEST_GCS_EMULATOR_HOST: gcsEmulator } = process.env;
if (serverUrl === undefined) throw new Error('set TEST_MONGODB_URL');

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-database-outage-'));
const direct = new URL(serverUrl);
direct.pathname = `/palimpsest-trial-${randomUUID().slice(0, 13)}`;
const proxy = await openFaultProxy({ host: direct.hostname, port: Number(direct.port || 27_017) });
const proxied = new URL(direct);
proxied.host = `${proxy.host}:${proxy.port}`;
const backends = { mongodbUrl: proxied.href, ...(gcsEmulator === undefined ? {} : { gcsEmulator }) };
const cluster = await Cluster.prepare(folder, await freePort(), 2, backends);
const database = new MongoClient(direct.href);
const client = new Client(cluster);

const stop = (): void => {
  if (stopCommand !== undefined) {
    execSync(stopCommand);
    return;
  }
  proxy.refuseNext(Infinity);
  proxy.dropConnections();
};
const start = (): void => {
  if (startCommand === undefined) proxy.restore();
  else execSync(startCommand);
};

/** The answers of the API to requests made one after the other, by what they were. */
class Answers {
  readonly counts = new Map<string, number>();
  slowestMs = 0;

  async take(request: () => Promise<Response>): Promise<Response | undefined> {
    const begun = performance.now();
    let kind: string;
    let response: Response | undefined;
    try {
      response = await request();
      kind = String(response.status);
      if (response.status === 503) kind += response.headers.get('retry-after') === null ? ' without Retry-After' : ' with Retry-After';
    } catch {
      kind = 'no answer';
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return response;
  }
}

try {
  await cluster.start();
  await client.signIn();
  const accepted: string[] = [];
  let loading = true;
  let during: Answers | undefined;
  const outside = new Answers();
  const answers = (): Answers => during ?? outside;
  const upload = async (number: number): Promise<void> => {
    const form = new FormData();
    const file = textPdf(...Array.from({ length: 1 + (number % 20) }, (_, i) => `Page ${i + 1} of document ${number}`));
    form.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), `${number}.pdf`);
    const response = await answers().take(() => client.fetch('/v1/documents', { method: 'POST', body: form }));
    if (response?.status === 200) accepted.push(((await response.json()) as { document: { id: string } }).document.id);
    else await response?.body?.cancel();
  };
  let number = 0;
  const uploading = Array.from({ length: 3 }, async () => {
    while (loading) {
      await upload(number++);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  });
  const reading = Array.from({ length: 3 }, async () => {
    while (loading) {
      const response = await answers().take(() => client.fetch('/v1/documents?limit=5'));
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(5_000);
  stop();
  await pause(1_000); // what was under way may still be answered
  during = new Answers();
  await pause(Number(seconds) * 1000 - 2_000);
  const seen = during;
  const ready = await fetch(`${cluster.url}/readyz`).then(async (response) => `${response.status} ${await response.text()}`);
  const alive = await fetch(`${cluster.url}/healthz`).then((response) => response.status);
  during = undefined;
  start();
  const back = performance.now();
  await until('an answer', async () => ((await client.fetch('/v1/documents?limit=1')).status === 200 ? true : undefined), 60_000);
  const servedAfterMs = Math.round(performance.now() - back);
  await pause(5_000);
  loading = false;
  await Promise.all([...uploading, ...reading]);
  let notCompleted = 0;
  for (const id of accepted) {
    if ((await until(`end of ${id}`, () => client.endOf(id), 15 * 60_000, 250)) !== 'completed') notCompleted++;
  }
  const readAfterMs = Math.round(performance.now() - back);
  console.log({
    accepted: accepted.length,
    notCompleted,
    during: Object.fromEntries(seen.counts),
    slowestDuringMs: Math.round(seen.slowestMs),
    ready,
    alive,
    outside: Object.fromEntries(outside.counts),
    servedAfterMs,
    readAfterMs,
  });
  const onlyRefusals = [...seen.counts.keys()].every((kind) => kind === '503 with Retry-After');
  process.exitCode = notCompleted === 0 && onlyRefusals && seen.counts.size > 0 && alive === 200 ? 0 : 1;
  await cluster.stop('SIGTERM');
} finally {
  await cluster.stop('SIGKILL');
  start();
  await database.db().dropDatabase();
  await database.close();
  await proxy.close();
  if (process.env['KEEP_TRIAL'] === undefined) await rm(folder, { recursive: true, force: true });
  else console.log(`kept: ${folder}`);
}
