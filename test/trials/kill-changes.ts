import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textPdf } from '../../hosts/api/test/samples.ts';
import { Client, freePort, ServiceProcess, until } from './service-process.ts';

/** The result of a trial. All counts except `rounds`, `revised` and `keyed` must be 0. */
export interface KillChangesReport {
  readonly rounds: number;
  readonly revised: number; // answered revisions
  readonly keyed: number; // uploads with an idempotency key, repeated until answered
  readonly lost: number; // documents whose newest revision is older than an answered one
  readonly notFound: number; // documents whose current text cannot be found some time after the last start
  readonly stale: number; // documents that are found by an outdated text
  readonly duplicates: number; // documents in excess of the uploads
}

interface Revised {
  readonly id: string;
  answered: number; // the last answered revision
  requested: number; // the last requested revision
}

// If the process dies while a text changes, a job repairs the search index a minute later.
const INDEX_REPAIR_MS = 150_000;

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;

/**
 * Starts the service, saves revisions and uploads with idempotency keys, and kills it with SIGKILL at a random moment, in
 * each of `rounds` rounds. Then compares the stored and the searchable texts with the answered requests.
 */
export const killChanges = async ({
  rounds,
  longestMs = 3000,
  onRound = () => {},
}: {
  rounds: number;
  longestMs?: number;
  onRound?: (round: number) => void;
}): Promise<KillChangesReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-kill-changes-'));
  const service = new ServiceProcess(folder, await freePort(), { OCR_MAX_ATTEMPTS: '100' });
  const client = new Client(service);
  const documents: Revised[] = [];
  const unanswered = new Set<number>();
  let revised = 0;
  let keyed = 0;

  const wordOf = ({ id }: Revised, revision: number): string => `revision${revision}of${id.replaceAll('-', '')}`;

  const reviseUntilKilled = async (document: Revised): Promise<void> => {
    for (;;) {
      const revision = ++document.requested;
      const body = JSON.stringify({ revised_text: `${'filler '.repeat(2000)} ${wordOf(document, revision)}` });
      const response = await client.fetch(`/v1/documents/${document.id}/ocr`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (response.status !== 200) throw new Error(`revision: ${response.status}`);
      document.answered = revision;
      revised++;
    }
  };

  const upload = async (number: number): Promise<boolean> => {
    const form = new FormData();
    form.set('file', new Blob([textPdf(`The keyed document with the number ${number}`)]), `${number}.pdf`);
    const response = await client.fetch('/v1/documents', {
      method: 'POST',
      headers: { 'idempotency-key': `upload-${number}` },
      body: form,
    });
    if (response.status !== 200 && response.status !== 409) throw new Error(`upload: ${response.status}`);
    return response.status === 200;
  };

  const uploadUntilKilled = async (): Promise<void> => {
    for (;;) {
      for (const number of [...unanswered, keyed]) {
        if (number === keyed) keyed++;
        unanswered.add(number);
        if (await upload(number)) unanswered.delete(number);
      }
    }
  };

  const search = async (q: string): Promise<readonly string[]> =>
    (await json<{ items: { id: string }[] }>(await client.fetch(`/v1/documents/search?q=${q}`))).items.map(
      ({ id }) => id,
    );

  const ignoreInterrupted = (): undefined => undefined; // the kill interrupted the request before its response

  try {
    for (let round = 1; round <= rounds; round++) {
      await service.start();
      if (round === 1) {
        await client.signIn();
        for (let i = 0; i < 3; i++)
          documents.push({
            id: await client.upload(textPdf(`A document to be revised, number ${i}`), `${i}.pdf`),
            answered: 0,
            requested: 0,
          });
        for (const { id } of documents) {
          await until(
            'completion',
            async () => (await json<{ ocr: unknown }>(await client.fetch(`/v1/documents/${id}`))).ocr ?? undefined,
            60_000,
          );
        }
      }
      const changes = [...documents.map(reviseUntilKilled), uploadUntilKilled()].map((change) =>
        change.catch(ignoreInterrupted),
      );
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * longestMs));
      await service.kill('SIGKILL');
      await Promise.all(changes);
      onRound(round);
    }
    await service.start();
    const repeatUnanswered = async (): Promise<true | undefined> => {
      for (const number of unanswered) if (await upload(number)) unanswered.delete(number);
      return unanswered.size === 0 ? true : undefined;
    };
    await until('the answers to all uploads', repeatUnanswered, 120_000, 1000);
    let [lost, notFound, stale] = [0, 0, 0];
    for (const document of documents) {
      const { ocr } = await json<{ ocr: { revised_text: string | null } }>(
        await client.fetch(`/v1/documents/${document.id}`),
      );
      const newest = Number(/revision(\d+)of/.exec(ocr.revised_text ?? '')?.[1] ?? 0);
      if (newest < document.answered) lost++;
      if (newest === 0) continue;
      const isFound = async (): Promise<true | undefined> =>
        (await search(wordOf(document, newest))).includes(document.id) ? true : undefined;
      await until('the index', isFound, INDEX_REPAIR_MS, 1000).catch(() => notFound++);
      for (let old = Math.max(newest - 5, 1); old <= document.requested; old++) {
        if (old !== newest && (await search(wordOf(document, old))).length > 0) stale++;
      }
    }
    const { paging } = await json<{ paging: { total: number } }>(await client.fetch('/v1/documents?limit=1'));
    return { rounds, revised, keyed, lost, notFound, stale, duplicates: paging.total - documents.length - keyed };
  } finally {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [rounds = '50'] = process.argv.slice(2);
  const report = await killChanges({ rounds: Number(rounds), onRound: (round) => console.log(`round ${round}`) });
  console.log(report);
  const { lost, notFound, stale, duplicates } = report;
  process.exitCode = lost + notFound + stale + Math.abs(duplicates) > 0 ? 1 : 0;
}
