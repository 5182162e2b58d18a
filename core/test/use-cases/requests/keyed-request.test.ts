import { AppError, keyedRequest, type KeyedCall } from '@palimpsest/core';
import { expect } from 'chai';
import { aWorld, codeOf, instead, refusalOf, tally, times } from '../../world.ts';

const CALL: KeyedCall = { accountId: 'ada', key: 'k-1', fingerprint: 'do this', holdMs: 15_000 };

const setUp = () => {
  const { ports, memory } = aWorld();
  const made: string[] = [];
  const make = (id: string): Promise<string> => {
    made.push(id);
    return Promise.resolve(`answer ${made.length}`);
  };
  return { ports, clock: memory.clock, faults: memory.faults, once: keyedRequest(ports), made, make };
};

const breaks = (error: Error) => async (): Promise<never> => {
  throw error;
};
const DIED = new Error('the process died');

describe('keyedRequest', () => {
  it('executes a request once, and returns the first answer to every repeat within 24 hours', async () => {
    const { once, make, made, clock } = setUp();
    expect(await once(CALL, make)).to.equal('answer 1');
    clock.advance(24 * 3_600_000 - 1);
    expect(await once(CALL, make)).to.equal('answer 1');
    clock.advance(1);
    expect(await once(CALL, make)).to.equal('answer 2');
    expect(new Set(made).size).to.equal(2);
  });

  it('executes every request without a key', async () => {
    const { once, make, made } = setUp();
    for (let i = 0; i < 3; i++) await once({ ...CALL, key: undefined }, make);
    expect(new Set(made).size).to.equal(3);
  });

  it('executes a request with another key, or of another account', async () => {
    const { once, make, made } = setUp();
    for (const change of [{}, { key: 'k-2' }, { accountId: 'bob' }, { key: 'K-1' }])
      await once({ ...CALL, ...change }, make);
    expect(made).to.have.length(4);
  });

  it('refuses a key of another request, answered or not', async () => {
    const { once, make, made } = setUp();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = once(CALL, () => promise);
    expect(await codeOf(once({ ...CALL, fingerprint: 'do that' }, make))).to.equal('IDEMPOTENCY_KEY_REUSED');
    resolve('first');
    await first;
    expect(await codeOf(once({ ...CALL, fingerprint: 'do that' }, make))).to.equal('IDEMPOTENCY_KEY_REUSED');
    expect(made).to.deep.equal([]);
    expect(await once(CALL, make)).to.equal('first');
  });

  it('executes one of a hundred concurrent requests, and the others get a retry time', async () => {
    const { once, made } = setUp();
    const { promise, resolve } = Promise.withResolvers<string>();
    const calls = times(100, () =>
      once(CALL, (id) => {
        made.push(id);
        return promise;
      }),
    );
    expect(await refusalOf(calls[99] ?? Promise.resolve())).to.include({
      code: 'IDEMPOTENCY_KEY_IN_USE',
      retryAfterMs: 1000,
    });
    resolve('done');
    expect(await tally(calls)).to.deep.equal({ ok: 1, IDEMPOTENCY_KEY_IN_USE: 99 });
    expect(made).to.have.length(1);
    expect(await once(CALL, () => expect.fail('executed again'))).to.equal('done');
  });

  it('executes a request again, with the same id, when its process has held it too long', async () => {
    const { once, make, made, clock } = setUp();
    let first = '';
    void once(CALL, (id) => {
      first = id;
      return new Promise(() => {});
    });
    await Promise.resolve();
    clock.advance(14_999);
    expect(await codeOf(once(CALL, make))).to.equal('IDEMPOTENCY_KEY_IN_USE');
    clock.advance(1);
    expect(await once(CALL, make)).to.equal('answer 1');
    expect(made).to.deep.equal([first]);
  });

  it('frees the key of a refused request', async () => {
    const { once, make } = setUp();
    expect(await codeOf(once(CALL, breaks(new AppError('DOCUMENT_NOT_FOUND', 'Document not found.'))))).to.equal(
      'DOCUMENT_NOT_FOUND',
    );
    expect(await once({ ...CALL, fingerprint: 'do that' }, make)).to.equal('answer 1');
  });

  it('keeps the key and the id of a failed request, because it may have had an effect', async () => {
    for (const error of [DIED, new TypeError('a bug'), new AppError('SERVICE_UNAVAILABLE', 'No queue.')]) {
      const { once, make, made, clock } = setUp();
      let first = '';
      await codeOf(
        once(CALL, (id) => {
          first = id;
          return Promise.reject(error);
        }),
      );
      expect(await codeOf(once(CALL, make))).to.equal('IDEMPOTENCY_KEY_IN_USE');
      clock.advance(15_000);
      await once(CALL, make);
      expect(made).to.deep.equal([first]);
    }
  });

  it('keeps the key and the id when the repeat of a failed request is refused', async () => {
    const { once, make, made, clock } = setUp();
    await codeOf(
      once(CALL, (id) => {
        made.push(id);
        return Promise.reject(DIED);
      }),
    );
    clock.advance(15_000);
    expect(await codeOf(once(CALL, breaks(new AppError('RATE_LIMITED', 'Too many requests.'))))).to.equal(
      'RATE_LIMITED',
    );
    clock.advance(15_000);
    await once(CALL, make);
    expect(made[1]).to.equal(made[0]);
  });

  it('returns the answer if it cannot be stored, and reports that; a repeat has the same id', async () => {
    const { ports, once, make, made, faults, clock } = setUp();
    const idempotency = instead(ports.idempotency, { answer: breaks(DIED) });
    expect(await keyedRequest({ ...ports, idempotency })(CALL, make)).to.equal('answer 1');
    expect(faults.reports.map(({ error }) => error)).to.deep.equal([DIED]);
    clock.advance(15_000);
    expect(await once(CALL, make)).to.equal('answer 2');
    expect(made[1]).to.equal(made[0]);
  });
});

describe('an idempotency key', () => {
  for (const key of ['k', '~', '!', '"quoted"', '0'.repeat(255), '8e03978e-40d5-43dd-bc93-6894a57f9324']) {
    it(`accepts ${key.slice(0, 40)}`, async () => {
      const { once, make } = setUp();
      expect(await once({ ...CALL, key }, make)).to.equal('answer 1');
    });
  }

  for (const key of [
    '',
    ' ',
    'a b',
    'k\n',
    'k\0',
    'é',
    '\u{1F600}',
    '0'.repeat(256),
    '\u007f',
    'k\r\nSet-Cookie: x',
    '0'.repeat(1_000_000),
  ]) {
    it(`refuses ${JSON.stringify(key.slice(0, 20))} (${key.length} characters)`, async () => {
      const { once, make, made } = setUp();
      expect(await codeOf(once({ ...CALL, key }, make))).to.equal('VALIDATION_ERROR');
      expect(made).to.deep.equal([]);
    });
  }
});
