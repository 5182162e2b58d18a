import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEY_TTL_MS = 24 * 3_600_000;
const ASK_AGAIN_MS = 1000;

/** A request that may carry an idempotency key. */
export interface KeyedCall {
  readonly accountId: string;
  readonly key: string | undefined; // as the client chose it; `undefined`: every call is a request of its own
  readonly fingerprint: string; // what is asked for
  readonly holdMs: number; // longer than carrying it out takes; after that, another process may take it over
}

/**
 * Carries a request out once for each key within 24 hours (IETF draft-ietf-httpapi-idempotency-key-header): a repeat gets
 * the first answer. `work` is given the id of what it is to make; a repeat after its process died gets the same id, so
 * that it can tell what is made already. A refusal frees the key, unless an earlier process may have been further.
 * Throws `VALIDATION_ERROR` for what is no key, `IDEMPOTENCY_KEY_REUSED` if the key stands for another request, `IDEMPOTENCY_KEY_IN_USE` while it is carried out.
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
            retryAfterMs: ASK_AGAIN_MS,
          },
        );
      case 'begun':
    }
    let answer: string;
    try {
      answer = await work(state.resourceId);
    } catch (error) {
      // What was refused was not done. What broke may have been done, and what was taken over may have been done before:
      // the key stays with what it was to make.
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
        'keeping the answer of a request with an idempotency key; a repeat is carried out again, on the same id',
      );
    }
    return answer;
  };
