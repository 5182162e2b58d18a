import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Composition } from '@palimpsest/composition';
import { plusMs, SEND_MAIL_JOB } from '@palimpsest/core';
import { mailJobs } from '@palimpsest/worker';
import PostalMime from 'postal-mime';
import { PASSWORD, startService, type TestService } from './service.ts';
import { steppedDate } from './shifted-date.ts';

/** A parsed e-mail. */
export interface ParsedMail {
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  }[];
}

/** The options of a request. */
export interface Sending {
  readonly token?: string;
  readonly from?: string; // the client address that the trusted proxy reports
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service whose clock the test controls and whose e-mails the test can read. */
export interface TimedService {
  readonly url: string;
  readonly composition: Composition;
  /** Sends JSON (a string is sent as it is). Without `from`, each request comes from a new client address. */
  send(path: string, body?: unknown, sending?: Sending): Promise<Response>;
  /** Advances the clock of the whole service. */
  advance(ms: number): void;
  /** Sends the e-mails that are due. Returns all e-mails that were sent so far, oldest first. */
  mails(): Promise<readonly ParsedMail[]>;
  close(): Promise<void>;
}

export const JWT_SECRET = 'a secret for tests that is long enough';
export const ISSUER = 'https://docs.example.org/ocr';

const settings = {
  PORT: '0',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  TRUST_PROXY: '1',
  PUBLIC_URL: ISSUER,
  JWT_SECRET,
};

let clients = 0;

/** A new client address. */
export const aClient = (): string => {
  clients++;
  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
};

const sending =
  (url: string): TimedService['send'] =>
  (path, body, { token, from = aClient(), method = 'POST', headers = {} } = {}) =>
    fetch(url + path, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

/** Runs all mail jobs that are due now. */
const drainMails = async (composition: Composition): Promise<void> => {
  const { jobs } = composition.ports;
  const handler = mailJobs(composition);
  const { promise: last, resolve, reject } = Promise.withResolvers<void>();
  await jobs.enqueue(SEND_MAIL_JOB, { isLast: true });
  const run: typeof handler.run = async (job) => {
    if (job.payload['isLast'] !== true) return handler.run(job);
    resolve();
    return 'done';
  };
  const worker = await jobs.work({ [SEND_MAIL_JOB]: { concurrency: 1, run } }, (error) =>
    reject(new Error('a mail job failed', { cause: error })),
  );
  try {
    await last;
  } finally {
    await worker.stop(10_000);
  }
};

const readOutbox = async (folder: string): Promise<readonly ParsedMail[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(
    names.map(async (name) => {
      const mail = await PostalMime.parse(await readFile(join(folder, name)));
      return {
        to: mail.to?.map(({ address }) => address).join(',') ?? '',
        subject: mail.subject ?? '',
        messageId: (mail.messageId ?? '').replace(/^<|>$/g, ''),
        text: mail.text ?? '',
        html: mail.html ?? '',
        attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
          filename: filename ?? '',
          mediaType: mimeType,
          bytes: new Uint8Array(content as ArrayBuffer),
        })),
      };
    }),
  );
};

/** Starts a service whose clock is `Date`, which the test has replaced. */
export const startServiceOnDate = async (env: Readonly<Record<string, string>> = {}): Promise<TestService> => {
  const service = await startService({ env });
  service.composition.ports.clock.now = () => Date.now() * 1000;
  return service;
};

const openTimedService = async (): Promise<TimedService> => {
  const date = steppedDate();
  const started = await startServiceOnDate(settings);
  return {
    url: started.url,
    composition: started.composition,
    send: sending(started.url),
    advance: (ms) => date.advance(ms),
    mails: async () => {
      await drainMails(started.composition);
      return readOutbox(started.composition.config.mail.outboxFolder);
    },
    close: async () => {
      await started.close();
      date.restore();
    },
  };
};

/** Defines tests that share one service. The function `service` returns it while the tests run. */
export const describeWithService = (title: string, tests: (service: () => TimedService) => void): void => {
  describe(title, () => {
    let service: TimedService | undefined;
    before(async () => {
      service = await openTimedService();
    });
    after(() => service?.close());
    tests(() => {
      if (!service) throw new TypeError('the service is not open');
      return service;
    });
  });
};

/** The tokens of a sign-in. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

let users = 0;

/** A new e-mail address. */
export const anEmail = (): string => `person${++users}@example.org`;

export const register = (service: TimedService, email: string, password = PASSWORD): Promise<Response> =>
  service.send('/v1/auth/register', { email, password });

export const login = async (service: TimedService, email: string, password = PASSWORD): Promise<Tokens> => {
  const response = await service.send('/v1/auth/login', { email, password });
  if (response.status !== 200) throw new Error(`login answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Tokens;
};

/** A new signed-in user. */
export const aUser = async (service: TimedService): Promise<Tokens & { readonly email: string }> => {
  const email = anEmail();
  await register(service, email);
  return { email, ...(await login(service, email)) };
};

/** The newest e-mail to an address whose subject includes these words. */
export const newestMail = async (service: TimedService, to: string, subject: string): Promise<ParsedMail> => {
  const found = (await service.mails()).filter((mail) => mail.to === to && mail.subject.includes(subject)).at(-1);
  if (!found) throw new Error(`there is no e-mail "${subject}" to ${to}`);
  return found;
};

/** The token in the link of an e-mail. */
export const tokenIn = ({ text }: ParsedMail): string => /[?]token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';

/** The time of the service in seconds since the epoch, for tokens that the test makes itself. */
export const nowInSeconds = ({ composition }: TimedService, offsetMs = 0): number =>
  Math.floor(plusMs(composition.ports.clock.now(), offsetMs) / 1_000_000);

/** The response of `GET /v1/auth/me`. */
export const getAccount = async (
  service: TimedService,
  token: string,
): Promise<{ readonly user: Readonly<Record<string, unknown>> }> =>
  (await (await service.send('/v1/auth/me', undefined, { method: 'GET', token })).json()) as {
    user: Record<string, unknown>;
  };
