import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEY_TTL_MS = 24 * 3_600_000;
const RETRY_AFTER_MS = 1000;

/** A request that may have an idempotency key. */
export interface KeyedCall {
  readonly accountId: string;
  readonly key: string | undefined; // the client's key; `undefined`: each call is a separate request
  readonly fingerprint: string; // of the request's content
  readonly holdMs: number; // after this time, another process may execute the request; longer than an execution takes
}

/**
 * Executes a request once for each key within 24 hours (IETF draft-ietf-httpapi-idempotency-key-header); a repeat gets
 * the first answer. `work` gets the id of the resource that it creates. If the process dies, a repeat gets the same id,
 * so that it can find out what was created already. A refusal frees the key, unless an earlier process may have created
 * something. Throws `VALIDATION_ERROR` for an invalid key, `IDEMPOTENCY_KEY_REUSED` if the key belongs to another
 * request, and `IDEMPOTENCY_KEY_IN_USE` while the request is executed.
 */
export const keyedRequest =
  ({ idempotency, ids, clock, faults }: Pick<Ports, 'idempotency' | 'ids' | 'clock' | 'faults'>) =>
  async (
    { accountId, key, fingerprint, holdMs }: KeyedCall,
    work: (resourceId: string) => Promise<string>,
  ): Promise<string> => {
    if (key === undefined) return work(ids.next());
    if (!KEY.test(key))
      throw new AppError('VALIDATION_ERROR', 'Idempotency-Key: use 1 to 255 visible ASCII characters.');
    const now = clock.now();
    const request = {
      accountId,
      key,
      fingerprint,
      resourceId: ids.next(),
      heldUntil: plusMs(now, holdMs),
      expiresAt: plusMs(now, KEY_TTL_MS),
    };
    const state = await idempotency.begin(request, now);
    switch (state.kind) {
      case 'answered':
        return state.answer;
      case 'other':
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This idempotency key was used for another request. Choose a new one.',
        );
      case 'held':
        throw new AppError(
          'IDEMPOTENCY_KEY_IN_USE',
          'The request with this idempotency key is still being answered. Ask again in a moment.',
          {
            retryAfterMs: RETRY_AFTER_MS,
          },
        );
      case 'begun':
    }
    let answer: string;
    try {
      answer = await work(state.resourceId);
    } catch (error) {
      // A refused request had no effect, so its key is freed. The key and the id of the resource are kept if this
      // execution failed, or if an earlier process began the same request: that execution may have had an effect.
      const isFirst = state.resourceId === request.resourceId;
      if (isFirst && isAppError(error) && error.code !== 'SERVICE_UNAVAILABLE')
        await idempotency.release(accountId, key);
      throw error;
    }
    try {
      await idempotency.answer(accountId, key, answer);
    } catch (error) {
      faults.report(
        error,
        'storing the answer of a request with an idempotency key; a repeat is executed again with the same id',
      );
    }
    return answer;
  };
