import {
  AppError,
  authenticate,
  claimDocument,
  defaultWorkRules,
  mailRequestOf,
  receiveFile,
  registerAccount,
  SEND_MAIL_JOB,
  sendMail,
  signIn,
  uploadDocument,
  viewSlots,
  type Document,
  type JobPayload,
  type MailRequest,
  type MailSettings,
  type Ports,
  type ProcessingDocument,
  type QueuedDocument,
  type RecognitionOutcome,
  type RunningJob,
  type ViewSettings,
  type WorkRules,
  type WorkSettings,
} from '@palimpsest/core';
import {
  MemoryMailer,
  openMemory,
  toyFile,
  type MemoryDelivery,
  type MemoryPorts,
  type ToyContent,
} from '@palimpsest/memory';
import { recognizeDocument } from '../src/use-cases/recognition/recognize-document.ts';

export const settings: WorkSettings = {
  ...defaultWorkRules,
  language: 'eng',
  textLayer: 'prefer',
  maxPages: 500,
  maxPixels: 1_000_000,
  pageTimeoutMs: 60_000,
  documentTimeoutMs: 300_000,
  pagesAtOnce: 2,
};

export const viewSettings = (): ViewSettings => ({ ...settings, viewSlots: viewSlots(2) });

export const ada = { accountId: 'ada' };
export const bob = { accountId: 'bob' };

async function* chunks(bytes: Uint8Array, size = 100): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The use cases on the memory adapter, with shortcuts for tests. */
export const aWorld = (
  change: Partial<Ports> = {},
  rules: WorkRules = defaultWorkRules,
  memory: MemoryPorts = openMemory(),
) => {
  const ports = { ...memory, ...change };
  const world = {
    memory,
    ports,
    rules,
    receive: (bytes: Uint8Array) => receiveFile(ports)(chunks(bytes)),
    /** Uploads a toy file and returns the document as it is stored. */
    upload: async (
      content: ToyContent,
      actor = ada,
      given: { readonly title?: string; readonly filename?: string } = {},
    ): Promise<QueuedDocument> => {
      const file = await receiveFile(ports)(chunks(toyFile(content)));
      const document = await world.stored(
        (await uploadDocument(ports)({ actor, file, filename: 'scan.pdf', ...given })).id,
      );
      if (document.status !== 'queued') throw new Error(`an accepted document is ${document.status}`);
      return document;
    },
    claim: async (): Promise<ProcessingDocument> => {
      const claimed = await claimDocument(ports, rules)();
      if (!claimed) throw new Error('nothing to claim');
      return claimed;
    },
    /** The document that a worker holds now. */
    held: async (): Promise<ProcessingDocument> => {
      const [held] = (await ports.documents.scan(undefined, 100)).filter((each) => each.status === 'processing');
      if (!held) throw new Error('no worker holds a document');
      return held;
    },
    recognize: (
      held: ProcessingDocument,
      signal: AbortSignal = new AbortController().signal,
      wanted = settings,
    ): Promise<RecognitionOutcome> => recognizeDocument(ports, { ...wanted, ...rules })(held, signal),
    stored: async (id: string): Promise<Document> => {
      const document = await ports.documents.find(id);
      if (!document) throw new Error(`no document ${id}`);
      return document;
    },
  };
  return world;
};

/** Valid credentials of a new account. */
export const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse' };

/** A client with one address. */
export const SOURCE = { client: '203.0.113.7' };

/** `port` with some of its methods replaced. */
export const instead = <T extends object>(port: T, change: Partial<T>): T =>
  new Proxy(port, {
    get: (target, name): unknown => {
      const found: unknown = Object.hasOwn(change, name) ? Reflect.get(change, name) : Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });

/** Ports that call `before` before each of their calls. If `before` throws, the call is not made. */
export const watched = <T extends object>(ports: T, before: (call: string) => void): T =>
  new Proxy(ports, {
    get: (target, name): unknown => {
      const port: unknown = Reflect.get(target, name);
      if (typeof port !== 'object' || port === null || name === 'clock' || name === 'faults') return port;
      return new Proxy(port, {
        get: (object, method): unknown => {
          const found: unknown = Reflect.get(object, method);
          if (typeof found !== 'function') return found;
          return (...given: unknown[]): unknown => {
            before(`${String(name)}.${String(method)}`);
            return Reflect.apply(found, object, given);
          };
        },
      });
    },
  });

/** Registers an account, signs in, and returns its tokens and claims. */
export const aMember = async (ports: Ports, credentials = CREDENTIALS) => {
  await registerAccount(ports)(credentials, { client: `of ${credentials.email}` });
  const tokens = await signIn(ports)(credentials, SOURCE);
  return { ...credentials, tokens, ...(await authenticate(ports)(tokens.accessToken)) };
};

/** Takes all due jobs of a kind out of the queue and returns their payloads, in the order in which they were added. */
export const takeJobs = async ({ jobs }: Pick<Ports, 'jobs'>, kind: string): Promise<readonly JobPayload[]> => {
  const taken: JobPayload[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  await jobs.enqueue(kind, { isLast: true });
  const run = async ({ payload }: RunningJob): Promise<'done'> => {
    if (payload['isLast'] === true) resolve();
    else taken.push(payload);
    return 'done';
  };
  const worker = await jobs.work({ [kind]: { concurrency: 1, run } }, () => {});
  await all;
  await worker.stop(1000);
  return taken;
};

/** Takes the due mail jobs out of the queue. */
export const takeMails = async (ports: Pick<Ports, 'jobs'>): Promise<readonly MailRequest[]> =>
  (await takeJobs(ports, SEND_MAIL_JOB)).map(mailRequestOf);

export const mailSettings: MailSettings = { publicUrl: 'https://ocr.example.org', messageIdDomain: 'mail.example.org' };

/** Sends all waiting mails and returns the delivered ones. */
export const deliverMails = async (ports: Ports): Promise<readonly MemoryDelivery[]> => {
  if (!(ports.mailer instanceof MemoryMailer)) throw new TypeError('This mailer does not record its mails');
  const before = ports.mailer.delivered.length;
  const send = sendMail(ports, mailSettings);
  for (const request of await takeMails(ports)) await send(request, new AbortController().signal);
  return ports.mailer.delivered.slice(before);
};

/** The token in the link of a mail. */
export const tokenIn = (mail: { readonly text: string } | undefined): string =>
  /token=([\w-]{43})\b/.exec(mail?.text ?? '')?.[1] ?? 'no token';

/** The `AppError` that `promise` rejects with; fails if it resolves. */
export const refusalOf = async (promise: Promise<unknown>): Promise<AppError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

/** The number of calls by their result: `ok`, or the code of the error. */
export const tally = async (calls: readonly Promise<unknown>[]): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for (const call of await Promise.allSettled(calls)) {
    const kind =
      call.status === 'fulfilled' ? 'ok' : call.reason instanceof AppError ? call.reason.code : String(call.reason);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

/** The results of `count` calls of `make`. */
export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** The code of the error that `promise` rejects with; fails if it resolves. */
export const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  throw new Error('it was not refused');
};

/** A file with a page to recognize, and a page with a text layer. */
export const TWO_PAGES: ToyContent = {
  pages: [{ text: 'one two' }, { layer: 'this page has a layer of its own', text: 'seen' }],
};

/** A world with a completed document of ada. */
export const aRead = async (content: ToyContent = TWO_PAGES) => {
  const world = aWorld();
  const { id } = await world.upload(content, ada, { title: 'A: letter/1' });
  await world.recognize(await world.claim());
  return { ...world, id };
};

/** All items. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
