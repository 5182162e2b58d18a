// Does the service complete every accepted document after a database outage under load, and what does it answer meanwhile? Usage:
//   node --conditions=@palimpsest/source test/trials/database-outage.ts [SECONDS] [STOP-COMMAND START-COMMAND]
// with TEST_MONGODB_URL, and TEST_GCS_EMULATOR_HOST for files in a bucket. Without commands, a proxy in front of the database
// cuts all connections and refuses new ones; with them, they stop and start the server itself.
import { execSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFaultProxy } from '@palimpsest/contract-tests';
import { textPdf } from '../../hosts/api/test/samples.ts';
import { freshMongoDatabase } from '../services/mongodb.ts';
import { Cluster } from './cluster.ts';
import { Client, freePort, until } from './service-process.ts';

/** The result of a trial. */
export interface OutageReport {
  readonly accepted: number;
  readonly notCompleted: number; // must be 0
  readonly during: Readonly<Record<string, number>>; // responses to requests during the outage, by kind
  readonly slowestDuringMs: number;
  readonly outside: Readonly<Record<string, number>>;
  readonly readyDuring: number;
  readonly aliveDuring: number;
  readonly servedAfterMs: number; // from the end of the outage to the first successful response
  readonly firstReadAfterMs: number; // to the first completed document
  readonly readAfterMs: number; // to the last completed document
}

/** Counts the responses of the API by kind. */
class Answers {
  readonly counts: Record<string, number> = {};
  slowestMs = 0;

  async record(request: () => Promise<Response>): Promise<Response | undefined> {
    const begun = performance.now();
    let kind = 'no answer';
    try {
      const response = await request();
      kind = String(response.status);
      if (response.status === 503)
        kind += response.headers.get('retry-after') === null ? ' without Retry-After' : ' with Retry-After';
      return response;
    } catch {
      return undefined;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// A request shortly before the end of the outage may succeed, because the driver waits some seconds for a server.
const SERVER_SELECTION_MS = 6_000;

/**
 * Runs an API process and two workers under a load of uploads and lists, disconnects the database for `seconds` (10 or
 * more), and waits until all documents are completed.
 */
export const databaseOutage = async ({
  seconds,
  mongodbUrl,
  gcsEmulator,
  commands,
}: {
  seconds: number;
  mongodbUrl: string;
  gcsEmulator?: string;
  commands?: { readonly stop: string; readonly start: string };
}): Promise<OutageReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-database-outage-'));
  const { url, drop } = freshMongoDatabase({ name: 'trial', url: mongodbUrl });
  const { hostname, port } = new URL(url);
  const proxy = await openFaultProxy({ host: hostname, port: Number(port || 27_017) });
  const proxied = new URL(url);
  proxied.host = `${proxy.host}:${proxy.port}`;
  const backends = { mongodbUrl: proxied.href, ...(gcsEmulator === undefined ? {} : { gcsEmulator }) };
  const cluster = await Cluster.prepare(folder, await freePort(), 2, backends);
  const client = new Client(cluster);
  const disconnectDatabase = (): void => {
    if (commands) execSync(commands.stop);
    else {
      proxy.refuseNext(Infinity);
      proxy.dropConnections();
    }
  };
  const reconnectDatabase = (): void => {
    if (commands) execSync(commands.start);
    else proxy.restore();
  };
  const loaded = new AbortController();
  try {
    await cluster.start();
    await client.signIn();
    const accepted: string[] = [];
    const outside = new Answers();
    const during = new Answers();
    let answers = outside;
    const upload = async (number: number): Promise<void> => {
      const form = new FormData();
      const file = textPdf(
        ...Array.from(
          { length: 1 + (number % 20) },
          (_, i) => `Page ${i + 1} of the document with the number ${number}`,
        ),
      );
      form.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), `${number}.pdf`);
      const response = await answers.record(() => client.fetch('/v1/documents', { method: 'POST', body: form }));
      if (response?.status === 200)
        accepted.push(((await response.json()) as { document: { id: string } }).document.id);
      else await response?.body?.cancel();
    };
    let number = 0;
    const load = [1, 2, 3].flatMap(() => [
      (async () => {
        while (!loaded.signal.aborted) {
          await upload(number++);
          await pause(300);
        }
      })(),
      (async () => {
        while (!loaded.signal.aborted) {
          const response = await answers.record(() => client.fetch('/v1/documents?limit=5'));
          await response?.body?.cancel();
          await pause(100);
        }
      })(),
    ]);
    await pause(5_000);
    disconnectDatabase();
    const disconnectedAt = performance.now();
    await pause(1_000); // running requests may still succeed
    answers = during;
    const readyDuring = (await fetch(`${cluster.url}/readyz`)).status;
    const aliveDuring = (await fetch(`${cluster.url}/healthz`)).status;
    await pause(Math.max(seconds * 1000 - SERVER_SELECTION_MS - (performance.now() - disconnectedAt), 0));
    answers = outside;
    await pause(Math.max(seconds * 1000 - (performance.now() - disconnectedAt), 0));
    reconnectDatabase();
    const reconnectedAt = performance.now();
    const sinceReconnected = (): number => Math.round(performance.now() - reconnectedAt);
    await until(
      'a successful response',
      async () => ((await client.fetch('/v1/documents?limit=1')).status === 200 ? true : undefined),
      60_000,
    );
    const servedAfterMs = sinceReconnected();
    const unread = new Set(accepted);
    const firstRead = until(
      'the first completed document',
      () =>
        Promise.any([...unread].map(async (id) => (await client.endOf(id)) ?? Promise.reject(new Error('not yet')))),
      120_000,
    );
    await pause(3_000);
    loaded.abort();
    await Promise.all(load);
    await firstRead;
    const firstReadAfterMs = sinceReconnected();
    let notCompleted = 0;
    for (const id of accepted) {
      if ((await until(`end of ${id}`, () => client.endOf(id), 15 * 60_000, 250)) !== 'completed') notCompleted++;
    }
    const readAfterMs = sinceReconnected();
    await cluster.stop('SIGTERM');
    return {
      accepted: accepted.length,
      notCompleted,
      during: during.counts,
      slowestDuringMs: Math.round(during.slowestMs),
      outside: outside.counts,
      readyDuring,
      aliveDuring,
      servedAfterMs,
      firstReadAfterMs,
      readAfterMs,
    };
  } finally {
    loaded.abort();
    await cluster.stop('SIGKILL');
    reconnectDatabase();
    await drop();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [seconds = '30', stop, start] = process.argv.slice(2);
  const { TEST_MONGODB_URL: mongodbUrl, TEST_GCS_EMULATOR_HOST: gcsEmulator } = process.env;
  if (mongodbUrl === undefined)
    throw new Error('set TEST_MONGODB_URL, and TEST_GCS_EMULATOR_HOST for files in a bucket');
  const report = await databaseOutage({
    seconds: Number(seconds),
    mongodbUrl,
    ...(gcsEmulator === undefined ? {} : { gcsEmulator }),
    ...(stop === undefined || start === undefined ? {} : { commands: { stop, start } }),
  });
  console.log(report);
  const onlyRefusals = Object.keys(report.during).join() === '503 with Retry-After';
  process.exitCode = report.notCompleted === 0 && onlyRefusals && report.aliveDuring === 200 ? 0 : 1;
}
