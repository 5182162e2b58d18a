import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUseCases, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { plusMs, SEND_MAIL_JOB } from '@palimpsest/core';
import { JwtAccessTokens } from '@palimpsest/crypto';
import { openMemory } from '@palimpsest/memory';
import { mailJobs } from '@palimpsest/worker';
import PostalMime from 'postal-mime';
import { serve } from '../src/serve.ts';
import { watchResponses } from './response-check.ts';
import { eventually, PASSWORD, startService } from './service.ts';
import { shiftDate } from './shifted-date.ts';

/** A mail as its reader sees it. */
export interface ReadMail {
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

/** How a request is sent. */
export interface Sending {
  readonly token?: string;
  readonly from?: string; // the client's address, as the trusted proxy names it
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service whose time can be moved, and whose mails can be read. */
export interface AuthWorld {
  readonly url: string;
  readonly composition: Composition;
  /** Sends JSON (a string goes as it is), from a client address of its own unless one is given. */
  send(path: string, body?: unknown, sending?: Sending): Promise<Response>;
  /** Moves the time of the whole service on. */
  advance(ms: number): void;
  /** Has the mails that are due sent, and gives all that went out so far, oldest first. */
  mails(): Promise<readonly ReadMail[]>;
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

/** An address that no client had before. */
export const aClient = (): string => {
  clients++;
  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
};

const sending =
  (url: string): AuthWorld['send'] =>
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

/** Runs the mail jobs that are due now, to the last. */
const drainMails = async (composition: Composition): Promise<void> => {
  const { jobs } = composition.ports;
  const faults: unknown[] = [];
  const handler = mailJobs(composition);
  for (let due = await jobs.countDue(SEND_MAIL_JOB); due > 0; due = await jobs.countDue(SEND_MAIL_JOB)) {
    const expected = due;
    let done = 0;
    const run: typeof handler.run = async (job) => {
      const outcome = await handler.run(job);
      done++;
      return outcome;
    };
    const worker = await jobs.work({ [SEND_MAIL_JOB]: { ...handler, run } }, (error) => faults.push(error));
    await eventually(async () => (faults.length > 0 || done >= expected ? true : undefined));
    await worker.stop(10_000);
    if (faults.length > 0) break;
  }
  if (faults.length > 0) throw new Error('a mail job broke', { cause: faults[0] });
};

const openInMemory = async (): Promise<AuthWorld> => {
  const memory = openMemory();
  const ports = {
    ...memory,
    accessTokens: new JwtAccessTokens({
      secret: new TextEncoder().encode(JWT_SECRET),
      issuer: ISSUER,
      audience: 'palimpsest-api',
    }),
  };
  const config = readConfig(settings, 2);
  const composition = {
    config,
    log: await openLog(config.logLevel),
    ports,
    useCases: createUseCases(ports, config),
    close: async () => {},
  };
  const served = await serve(composition);
  const unwatch = watchResponses(served.url);
  const send = sending(served.url);
  return {
    url: served.url,
    composition,
    send: (...request) => {
      // No two requests come at the same moment.
      memory.clock.advance(1);
      return send(...request);
    },
    advance: (ms) => memory.clock.advance(ms),
    mails: async () => {
      await drainMails(composition);
      return memory.mailer.delivered.map(({ to, subject, messageId, text, html, attachment }) => ({
        to,
        subject,
        messageId,
        text,
        html,
        attachments: attachment ? [attachment] : [],
      }));
    },
    close: async () => {
      unwatch();
      await served.stop(0);
    },
  };
};

const readOutbox = async (folder: string): Promise<readonly ReadMail[]> => {
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

const openEmbedded = async (): Promise<AuthWorld> => {
  const date = shiftDate();
  const service = await startService({ env: settings });
  return {
    url: service.url,
    composition: service.composition,
    send: sending(service.url),
    advance: (ms) => date.advance(ms),
    mails: async () => {
      await drainMails(service.composition);
      return readOutbox(service.composition.config.mail.outboxFolder);
    },
    close: async () => {
      await service.close();
      date.restore();
    },
  };
};

/** The service on memory alone, and the embedded default on SQLite: what holds for the one holds for the other. */
export const authWorlds = { 'in memory': openInMemory, 'on SQLite': openEmbedded } as const;

/** Runs the same tests on every kind of service, each on one of its own. */
export const describeInEachWorld = (title: string, tests: (world: () => AuthWorld) => void): void => {
  for (const [kind, open] of Object.entries(authWorlds)) {
    describe(`${title}, ${kind}`, () => {
      let world: AuthWorld | undefined;
      before(async () => {
        world = await open();
      });
      after(() => world?.close());
      tests(() => {
        if (!world) throw new TypeError('no service is open');
        return world;
      });
    });
  }
};

/** The tokens of a sign-in. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

let users = 0;

/** An address that nobody had before. */
export const anEmail = (): string => `person${++users}@example.org`;

export const register = (world: AuthWorld, email: string, password = PASSWORD): Promise<Response> =>
  world.send('/v1/auth/register', { email, password });

export const login = async (world: AuthWorld, email: string, password = PASSWORD): Promise<Tokens> => {
  const response = await world.send('/v1/auth/login', { email, password });
  if (response.status !== 200) throw new Error(`login answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Tokens;
};

/** A new user who is signed in. */
export const aUser = async (world: AuthWorld): Promise<Tokens & { readonly email: string }> => {
  const email = anEmail();
  await register(world, email);
  return { email, ...(await login(world, email)) };
};

/** The newest mail to an address with these words in its subject. */
export const newestMail = async (world: AuthWorld, to: string, subject: string): Promise<ReadMail> => {
  const found = (await world.mails()).filter((mail) => mail.to === to && mail.subject.includes(subject)).at(-1);
  if (!found) throw new Error(`no mail "${subject}" went to ${to}`);
  return found;
};

/** The token in a mail's link. */
export const tokenIn = ({ text }: ReadMail): string => /[?]token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';

/** Moments as the service has them, for tokens made by hand. */
export const nowInSeconds = ({ composition }: AuthWorld, offsetMs = 0): number =>
  Math.floor(plusMs(composition.ports.clock.now(), offsetMs) / 1_000_000);
