import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compose, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { createApp } from '../../src/app.ts';
import { deferContinue } from '../../src/http/bodies/expect-continue.ts';
import { restartRateMeasurement, minimumRate } from '../../src/http/bodies/minimum-rate.ts';
import { eventually } from '../../../../test/expectations.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const LARGE = JSON.stringify({ revised_text: 'x'.repeat(150 * 1024) });
const INTERVAL_MS = 60_000; // tests that need this interval control the timers

/** A request over a plain socket, which shows when the service asks for the body. */
interface Sender {
  readonly socket: Socket;
  readonly answer: () => string;
  readonly isAsked: () => boolean;
}

describe('JSON bodies', () => {
  let folder: string;
  let composition: Composition;
  let server: Server;
  let otherServer: Server; // another app in the same process
  let port: number;
  let texts: string[]; // the saved texts
  let finish: (() => void)[]; // one function for each revision that waits in the use case
  let isHeld: boolean;
  let senders: Sender[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-bodies-'));
    composition = await compose(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }, 2), await openLog('silent'));
    const ocr = { engine: 'e', language: 'eng', text: '', revision: undefined };
    const useCases: Composition['useCases'] = {
      ...composition.useCases,
      authenticate: (token) => Promise.resolve({ accountId: token, sessionId: 'session' }),
      reviseOcr: async (_actor, _id, text) => {
        texts.push(text);
        if (isHeld) await new Promise<void>((resolve) => finish.push(resolve));
        return { ocr, version: '1' };
      },
    };
    const rate = { bytesPerSecond: 10_000, intervalMs: INTERVAL_MS };
    const listen = async (): Promise<Server> => {
      const listening = createServer(createApp({ ...composition, useCases }, { rate })).listen(0, '127.0.0.1');
      deferContinue(listening);
      await once(listening, 'listening');
      return listening;
    };
    [server, otherServer] = [await listen(), await listen()];
    ({ port } = server.address() as AddressInfo);
  });
  after(async () => {
    server.close();
    otherServer.close();
    await composition.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    [texts, finish, senders, isHeld] = [[], [], [], false];
  });
  afterEach(async () => {
    mock.timers.reset();
    for (const { socket } of senders) socket.destroy();
    server.closeAllConnections();
    otherServer.closeAllConnections();
    await eventually(
      () => new Promise<boolean>((resolve) => server.getConnections((_error, count) => resolve(count === 0))),
    );
  });

  const path = `/v1/documents/${ID}/ocr`;
  const put = async (
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; code?: string }> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer ann', 'content-type': 'application/json', ...headers },
      body: body as Uint8Array<ArrayBuffer>,
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    return { status: response.status, ...(error && { code: error.code }) };
  };

  const head = (account: string, headers: string): string =>
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nContent-Type: application/json\r\n${headers}\r\n`;
  const LENGTH = `Content-Length: ${LARGE.length}\r\n`;

  const open = (text: string, to = port): Sender => {
    const socket = connect(to, '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (chunk: string) => (answer += chunk)).on('error', () => socket.destroy());
    socket.write(text);
    const sender = { socket, answer: () => answer, isAsked: () => answer.startsWith('HTTP/1.1 100 ') };
    senders.push(sender);
    return sender;
  };
  /** Sends the headers of a large body and waits for 100 Continue. */
  const announce = (account: string, headers = LENGTH): Sender =>
    open(head(account, `${headers}Expect: 100-continue\r\n`));
  const asked = (sender: Sender): Promise<true> => eventually(() => sender.isAsked());
  const answered = (sender: Sender, status: number): Promise<true> =>
    eventually(() => sender.answer().includes(`HTTP/1.1 ${status} `));
  const beingSaved = (count: number): Promise<true> => eventually(() => finish.length === count);
  /** Waits for the answer to a later request and checks that the service has not asked for these bodies. */
  const stillWaiting = async (...waiting: readonly Sender[]): Promise<void> => {
    await answered(open(`${head('somebody', 'Content-Length: 1\r\n')}1`), 400);
    for (const sender of waiting) expect(sender.isAsked()).to.equal(false);
  };
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Occupies `count` slots of an account. */
  const hold = async (account: string, count: number): Promise<Sender[]> => {
    isHeld = true;
    const held = Array.from({ length: count }, () => open(head(account, LENGTH) + LARGE));
    await beingSaved(finish.length + count);
    return held;
  };

  describe('with many values, keys or levels', () => {
    const filler = ' '.repeat(100 * 1024);
    for (const [what, body] of [
      ['levels', `{"revised_text":"x","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
      ['levels without an end', '['.repeat(200_000)],
      ['empty objects', `{"revised_text":"x","a":[${'{},'.repeat(50_000)}0]}`],
      ['keys', `{"revised_text":"x"${Array.from({ length: 20_000 }, (_, i) => `,"k${i}":1`).join('')}}`],
      ['values after a string that ends in a backslash', `{"revised_text":"x\\\\","a":[${'0,'.repeat(100_000)}0]}`],
      ['values between spaces', `{"revised_text":"x","a":[${'0,'.repeat(1000)}0]}${filler}`],
    ] as const) {
      it(`are refused because of their ${what}`, async () => {
        expect(await put(body)).to.deep.equal({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
        expect(texts).to.deep.equal([]);
      });
    }

    it('are refused when they are compressed, too', async () => {
      expect(await put(gzipSync(`{"a":${'['.repeat(200_000)}`), { 'content-encoding': 'gzip' })).to.include({
        status: 413,
      });
    });

    it('are accepted when they are small', async () => {
      expect(await put(`{"revised_text":"x","a":[${'0,'.repeat(5000)}0]}`)).to.deep.equal({ status: 200 });
      expect(texts).to.deep.equal(['x']);
    });

    it('are accepted when the brackets are inside a string', async () => {
      const text = '[{,:"\\]}\n\u0001'.repeat(20_000);
      expect(await put(JSON.stringify({ revised_text: text, other: [1, { a: 2 }] }))).to.deep.equal({ status: 200 });
      expect(texts[0] === text).to.equal(true);
    });

    it('are accepted up to 1000 parts', async () => {
      const most = 1000 - 5; // an object, two colons, a comma, a list
      expect(await put(`{"revised_text":"x","a":[${'0,'.repeat(most)}0]}${filler}`)).to.deep.equal({ status: 200 });
      expect(await put(`{"revised_text":"x","a":[${'0,'.repeat(most + 1)}0]}${filler}`)).to.include({ status: 413 });
    });
  });

  describe('that are large', () => {
    for (const [what, headers] of [
      ['large by their Content-Length', LENGTH],
      ['of unknown size, because they are chunked', 'Transfer-Encoding: chunked\r\n'],
      ['of unknown size, because they are compressed', 'Content-Length: 100\r\nContent-Encoding: gzip\r\n'],
    ] as const) {
      it(`wait for a slot before 100 Continue (${what})`, async () => {
        await hold('ann', 2);
        const waiting = announce('ann', headers);
        await stillWaiting(waiting);
        finish[0]?.();
        await asked(waiting);
      });
    }

    it('have four slots, two per account, and the next slot goes to the account with the fewest used slots', async () => {
      await hold('ann', 2);
      const third = announce('ann');
      await hold('bob', 2);
      const other = announce('eve');
      await stillWaiting(third, other);
      finish[0]?.();
      await asked(other);
      await stillWaiting(third);
      finish[1]?.();
      await asked(third);
    });

    it('do not wait for the slots of another app in the same process', async () => {
      mock.timers.enable({ apis: ['setTimeout'] }); // so that the slots are not released after 30 s
      isHeld = true;
      for (let i = 0; i < 2; i++) open(head('ann', LENGTH) + LARGE);
      while (finish.length < 2) await nextTurn();
      const { port: otherPort } = otherServer.address() as AddressInfo;
      const other = open(head('ann', `${LENGTH}Expect: 100-continue\r\n`), otherPort);
      while (!other.isAsked()) await nextTurn();
    });

    it('are read completely after the wait, even if they were sent at once', async () => {
      await hold('ann', 2);
      const sentAtOnce = open(head('ann', LENGTH) + LARGE);
      await stillWaiting(sentAtOnce);
      expect(texts).to.have.length(2);
      isHeld = false;
      finish[0]?.();
      await answered(sentAtOnce, 200);
      expect(texts.at(-1)).to.have.length(150 * 1024);
    });

    it('do not delay small bodies', async () => {
      await hold('ann', 2);
      await hold('bob', 2);
      isHeld = false;
      expect(await put('{"revised_text":"small"}')).to.deep.equal({ status: 200 });
    });

    it('leave the queue when their client disconnects', async () => {
      await hold('ann', 2);
      const disconnected = announce('ann');
      await stillWaiting(disconnected);
      const next = announce('ann');
      await stillWaiting(next);
      disconnected.socket.destroy();
      await eventually(() => disconnected.socket.closed);
      await stillWaiting(next);
      finish[0]?.();
      await asked(next);
    });

    it('return their slots when their client disconnects', async () => {
      const [one, two] = await hold('ann', 2);
      const waiting = [announce('ann'), announce('ann')];
      await stillWaiting(...waiting);
      one?.socket.destroy();
      two?.socket.destroy();
      await Promise.all(waiting.map(asked));
    });

    it('return their slots when a client with two pipelined requests disconnects', async () => {
      isHeld = true;
      const both = open((head('ann', LENGTH) + LARGE).repeat(2));
      await beingSaved(2);
      both.socket.destroy();
      await Promise.all([announce('ann'), announce('ann')].map(asked));
    });

    it('return their slots after they were refused', async () => {
      for (let i = 0; i < 5; i++) expect(await put(`"${LARGE}`)).to.include({ status: 400, code: 'INVALID_JSON' });
    });

    it('return their slots 30 s after they arrived, even without a response', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      isHeld = true;
      for (let i = 0; i < 2; i++) open(head('ann', LENGTH) + LARGE);
      while (finish.length < 2) await nextTurn();
      const waiting = announce('ann');
      mock.timers.tick(29_999);
      for (let i = 0; i < 100; i++) await nextTurn();
      expect(waiting.isAsked()).to.equal(false);
      mock.timers.tick(1);
      while (!waiting.isAsked()) await nextTurn();
    });

    it('do not get 408 while they wait for a slot, but a body that arrives too slowly does', async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      await hold('ann', 2);
      const waiting = announce('ann');
      await stillWaiting(waiting);
      const slow = open(head('bob', `${LENGTH}Expect: 100-continue\r\n`));
      await asked(slow);
      mock.timers.tick(INTERVAL_MS);
      await answered(slow, 408);
      isHeld = false;
      finish[0]?.();
      await asked(waiting);
      waiting.socket.write(LARGE);
      await answered(waiting, 200);
    });
  });

  it('get the full time to arrive after they got a slot', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    await hold('ann', 2);
    const waiting = announce('ann');
    await stillWaiting(waiting);
    mock.timers.tick(INTERVAL_MS - 1);
    isHeld = false;
    finish[0]?.();
    await asked(waiting);
    mock.timers.tick(INTERVAL_MS - 1);
    waiting.socket.write(LARGE);
    await answered(waiting, 200);
  });

  it('restart the measurement of the rate after they got a slot', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const req = new IncomingMessage(new Socket());
    const res = new ServerResponse(req);
    let ended = 0;
    res.end = () => {
      ended++;
      return res;
    };
    Object.assign(res, { locals: {}, status: () => res, set: () => res, type: () => res, send: () => res.end() });
    minimumRate(composition.log, { bytesPerSecond: 1000, intervalMs: 1000 })(
      req as Request,
      res as Response,
      () => undefined,
    );
    mock.timers.tick(999);
    restartRateMeasurement(req);
    mock.timers.tick(999);
    expect(ended).to.equal(0);
    mock.timers.tick(1);
    expect(ended).to.equal(1);
  });
});
