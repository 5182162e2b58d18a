import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { Cluster } from './cluster.ts';
import { Client, freePort, until } from './service-process.ts';
import { sha256, textPages } from './uploads.ts';

/** The result of a trial. All counts below `jobsWhileWorking` must be 0. */
export interface KillClusterReport {
  readonly rounds: number;
  readonly killed: Readonly<Record<string, number>>;
  readonly accepted: number;
  readonly unanswered: number; // uploads that a kill interrupted before the response
  readonly jobsWhileWorking: number; // the maximum; 0 means that the trial reads the wrong collection
  readonly missing: number;
  readonly notCompleted: number;
  readonly changed: number; // files that differ from the upload
  readonly completedTwice: number;
  readonly jobsLeft: number;
}

/**
 * Runs an API process and two workers on MongoDB and Google Cloud Storage, uploads while they work, and kills one of the
 * three with SIGKILL at a random moment in each of `rounds` rounds. Then lets them finish and compares the stored documents
 * with the answered uploads.
 */
export const killCluster = async ({
  rounds,
  mongodbUrl,
  gcsEmulator,
  files = [],
  longestMs = 4000,
  uploadsPerRound = 3,
  onRound = () => {},
}: {
  rounds: number;
  mongodbUrl: string;
  gcsEmulator?: string;
  files?: readonly string[];
  longestMs?: number;
  uploadsPerRound?: number;
  onRound?: (round: number, killed: string) => void;
}): Promise<KillClusterReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-cluster-'));
  const url = new URL(mongodbUrl);
  url.pathname = `/palimpsest-trial-${randomUUID().slice(0, 13)}`;
  const backends = { mongodbUrl: url.href, ...(gcsEmulator === undefined ? {} : { gcsEmulator }) };
  const cluster = await Cluster.prepare(folder, await freePort(), 2, backends, { OCR_MAX_ATTEMPTS: '100' });
  const database = new MongoClient(url.href);
  const client = new Client(cluster);
  const acceptedDigests = new Map<string, string>();
  const killed: Record<string, number> = { api: 0, 'worker 1': 0, 'worker 2': 0 };
  let unanswered = 0;
  const upload = async (number: number): Promise<void> => {
    const path = files[number % (files.length + 1)];
    const content = path === undefined ? textPages(1 + (number % 40), number) : await readFile(path);
    try {
      acceptedDigests.set(
        await client.upload(content, path === undefined ? `${number}.pdf` : basename(path)),
        sha256(content),
      );
    } catch {
      unanswered++;
    }
  };
  try {
    await cluster.start();
    await client.signIn();
    // The recurring jobs (`single`) stay in the collection.
    const countJobs = (): Promise<number> => database.db().collection('jobs').countDocuments({ type: 'normal' });
    let jobsWhileWorking = 0;
    let number = 0;
    for (let round = 1; round <= rounds; round++) {
      const index = Math.floor(Math.random() * cluster.processes.length);
      const target = cluster.processes[index];
      const name = index === 0 ? 'api' : `worker ${index}`;
      const uploads = Array.from({ length: uploadsPerRound }, () => upload(number++));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
      await target?.kill('SIGKILL');
      killed[name] = (killed[name] ?? 0) + 1;
      await Promise.all(uploads);
      jobsWhileWorking = Math.max(jobsWhileWorking, await countJobs());
      await target?.start();
      onRound(round, name);
    }
    for (const id of acceptedDigests.keys()) await until(`end of ${id}`, () => client.endOf(id), 30 * 60_000, 250);
    let missing = 0;
    let notCompleted = 0;
    let changed = 0;
    for (const [id, digest] of acceptedDigests) {
      const end = await client.endOf(id);
      if (end === 'missing') missing++;
      else if (end !== 'completed') notCompleted++;
      const file = await client.fetch(`/v1/documents/${id}/download`);
      if (sha256(new Uint8Array(await file.arrayBuffer())) !== digest) changed++;
    }
    // The jobs of killed workers run again when their locks have expired.
    let jobsLeft = -1;
    await until(
      'end of all jobs',
      async () => ((jobsLeft = await countJobs()) === 0 ? true : undefined),
      180_000,
      500,
    ).catch(() => undefined);
    const completions = new Map<unknown, number>();
    for await (const line of cluster.logLines()) {
      if (line['msg'] === 'document completed')
        completions.set(line['documentId'], (completions.get(line['documentId']) ?? 0) + 1);
    }
    const codes = await cluster.stop('SIGTERM');
    if (codes.some((code) => code !== 0)) throw new Error(`exit codes after SIGTERM: ${codes.join(', ')}`);
    return {
      rounds,
      killed,
      accepted: acceptedDigests.size,
      unanswered,
      missing,
      notCompleted,
      changed,
      jobsWhileWorking,
      completedTwice: [...completions.values()].filter((count) => count > 1).length,
      jobsLeft,
    };
  } finally {
    await cluster.stop('SIGKILL');
    await database.db().dropDatabase();
    await database.close();
    if (process.env['KEEP_TRIAL'] === undefined) await rm(folder, { recursive: true, force: true });
    else console.log(`kept: ${folder}`);
  }
};

if (import.meta.main) {
  const { TEST_MONGODB_URL: mongodbUrl, TEST_GCS_EMULATOR_HOST: gcsEmulator } = process.env;
  if (mongodbUrl === undefined)
    throw new Error('set TEST_MONGODB_URL, and TEST_GCS_EMULATOR_HOST for files in a bucket');
  const [rounds = '50', ...files] = process.argv.slice(2);
  const report = await killCluster({
    rounds: Number(rounds),
    files,
    mongodbUrl,
    ...(gcsEmulator === undefined ? {} : { gcsEmulator }),
    onRound: (round, name) => console.log(`round ${round}: ${name}`),
  });
  console.log(report);
  const { missing, notCompleted, changed, completedTwice, jobsLeft } = report;
  process.exitCode = missing + notCompleted + changed + completedTwice + jobsLeft > 0 ? 1 : 0;
}
