// Uploads a folder of real pages with ground truth, and of hostile files, and checks each result. Usage:
//   node --conditions=@palimpsest/source test/trials/corpus.ts FOLDER [plain|hostile]
// OCR_ENGINE, PDF_RASTERIZER, OCR_TEXT_LAYER and OCR_LANGUAGES are passed to the service. With TEST_MONGODB_URL, and
// TEST_GCS_EMULATOR_HOST for files in a bucket, an API with two workers processes them; otherwise one process on the embedded stack.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { textPdf } from '../../hosts/api/test/samples.ts';
import { characterErrorRate, wordRecall } from './accuracy.ts';
import { Cluster } from './cluster.ts';
import { Client, freePort, ServiceProcess, until, type HostProcess, type Service } from './service-process.ts';

interface Item {
  readonly file: string;
  readonly expect: string;
  readonly words?: readonly string[] | null;
  readonly truth?: string | null;
}

interface HostileItem {
  readonly name: string;
  readonly acceptable: readonly string[];
}

interface Detail {
  readonly document: { readonly status: string };
  readonly error_message: string | null;
  readonly ocr: { readonly engine: string; readonly text: string } | null;
}

const CONTROL = 'Control document with the number 4711 in it';

/** Uploads a file and waits for its result: `refused 415 …`, `failed …` or `completed` with the text. */
const outcomeOf = async (client: Client, path: string): Promise<{ outcome: string; engine: string; text: string }> => {
  const content = await readFile(path);
  const form = new FormData();
  form.set('file', new Blob([content]), path.split('/').pop() ?? 'file');
  const response = await client.fetch('/v1/documents', { method: 'POST', body: form });
  const body = (await response.json()) as { document?: { id: string }; error?: { code: string } };
  if (!body.document) return { outcome: `refused ${response.status} ${body.error?.code}`, engine: '', text: '' };
  const { id } = body.document;
  const detail = await until(
    path,
    async () => {
      const found = (await (await client.fetch(`/v1/documents/${id}`)).json()) as Detail;
      return found.document.status === 'completed' || found.document.status === 'failed' ? found : undefined;
    },
    400_000,
  );
  const outcome = detail.document.status === 'failed' ? `failed ${detail.error_message}` : 'completed';
  return { outcome, engine: detail.ocr?.engine ?? '', text: detail.ocr?.text ?? '' };
};

const isAcceptable = (outcome: string, acceptable: readonly string[]): boolean =>
  acceptable.some(
    (allowed) =>
      (outcome === 'completed' && allowed === 'completed') ||
      (/^failed [A-Z].{10,300}\.$/.test(outcome) && allowed.startsWith('failed')) ||
      (/^refused (400|415|422)/.test(outcome) && allowed.startsWith('400')) ||
      (/^(refused 4|completed|failed)/.test(outcome) && allowed.startsWith('4xx')),
  );

/** The service under test: one process or several. */
interface System {
  readonly service: Service;
  readonly processes: readonly HostProcess[];
  /** Ends the processes and removes their data from the servers. */
  stop(): Promise<void>;
}

const passedVariables = ['OCR_ENGINE', 'PDF_RASTERIZER', 'OCR_TEXT_LAYER', 'OCR_LANGUAGES'];

const prepareSystem = async (folder: string): Promise<System> => {
  const { TEST_MONGODB_URL: mongodbUrl, TEST_GCS_EMULATOR_HOST: gcsEmulator } = process.env;
  const env = Object.fromEntries(
    passedVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  if (mongodbUrl === undefined) {
    const service = new ServiceProcess(folder, await freePort(), env);
    return { service, processes: [service], stop: async () => void (await service.kill('SIGTERM')) };
  }
  const url = new URL(mongodbUrl);
  url.pathname = `/palimpsest-trial-${randomUUID().slice(0, 13)}`;
  const backends = { mongodbUrl: url.href, ...(gcsEmulator === undefined ? {} : { gcsEmulator }) };
  const cluster = await Cluster.prepare(folder, await freePort(), 2, backends, env);
  return {
    service: cluster,
    processes: cluster.processes,
    stop: async () => {
      await cluster.stop('SIGTERM');
      const database = new MongoClient(url.href);
      await database.db().dropDatabase();
      await database.close();
    },
  };
};

/** Uploads the files of `corpus`, prints each result, and returns the number of wrong results. */
const corpusTrial = async (corpus: string, part: string | undefined): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-corpus-'));
  const control = join(folder, 'control.pdf');
  const system = await prepareSystem(folder);
  const { service, processes } = system;
  let wrong = 0;
  const report = (isCorrect: boolean, ...columns: readonly unknown[]): void => {
    if (!isCorrect) wrong++;
    console.log(isCorrect ? 'ok   ' : 'WRONG', ...columns);
  };
  try {
    await writeFile(control, textPdf(CONTROL));
    await Promise.all(processes.map((each) => each.start()));
    const client = new Client(service);
    await client.signIn();
    const pids = processes.map(({ pid }) => pid);
    const { items } = JSON.parse(await readFile(join(corpus, 'manifest.json'), 'utf8')) as { items: Item[] };
    for (const item of part === 'hostile' ? [] : items) {
      const begun = performance.now();
      const { outcome, engine, text } = await outcomeOf(client, join(corpus, item.file));
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      const missing = (item.words ?? []).filter((word) => !text.includes(word));
      const truth = item.truth ? await readFile(join(corpus, item.truth), 'utf8') : undefined;
      const accuracy =
        truth === undefined
          ? ''
          : `CER ${(100 * characterErrorRate(truth, text)).toFixed(2)} % recall ${(100 * wordRecall(truth, text)).toFixed(1)} %`;
      const expected = item.expect.startsWith('success')
        ? outcome === 'completed'
        : outcome !== 'completed' || item.expect.includes('partial');
      report(
        expected && missing.length === 0,
        item.file,
        `[${outcome}]`,
        engine,
        seconds,
        accuracy,
        missing.length > 0 ? `missing: ${missing.join(' ')}` : '',
      );
    }
    const { files } = JSON.parse(await readFile(join(corpus, 'hostile/manifest.json'), 'utf8')) as {
      files: HostileItem[];
    };
    for (const { name, acceptable } of part === 'plain' ? [] : files) {
      const begun = performance.now();
      const { outcome, text } = await outcomeOf(client, join(corpus, 'hostile', name));
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      const after = await outcomeOf(client, control);
      const leaked = /root:x?:0:|TOPSECRET/.test(text);
      report(
        isAcceptable(outcome, acceptable) && after.text.trim() === CONTROL && !leaked,
        name,
        `[${outcome}]`,
        seconds,
        after.text.trim() === CONTROL ? '' : 'control failed',
      );
    }
    const survived = processes.every(({ pid, isRunning }, i) => isRunning && pid === pids[i]);
    report(survived && (await fetch(`${service.url}/readyz`)).ok, 'the service survived');
    return wrong;
  } finally {
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const [corpus, part] = process.argv.slice(2);
if (corpus === undefined) throw new Error('usage: corpus.ts FOLDER [plain|hostile]');
process.exitCode = (await corpusTrial(corpus, part)) > 0 ? 1 : 0;
