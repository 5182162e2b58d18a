import { AppError, isAppError, type AccessTokens, type Instant } from '@palimpsest/core';
import { MemoryAccessTokens } from '@palimpsest/memory';
import { describeAccessTokens } from '../../src/index.ts';
import { describeMutants, type Mutant } from './mutant.ts';

const SECOND = 1_000_000;

interface Payload {
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
}

/** A part of a token, not verified; an empty object if it cannot be parsed. */
const partOf = <T>(token: string, index: number): Partial<T> => {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()));
  } catch {
    return {};
  }
};

/** Verifies tokens at another time than the given one. */
const verifyingAt =
  (moment: (now: Instant, payload: Partial<Payload>) => Instant): Mutant<AccessTokens> =>
  (original) => ({ verify: (token, now) => original.verify(token, moment(now, partOf(token, 1))) });

/** Accepts a token that the working adapter refuses, if `isAccepted`. */
const accepting =
  (isAccepted: (token: string, now: Instant) => boolean): Mutant<AccessTokens> =>
  (original) => ({
    verify: (token, now) => {
      try {
        return original.verify(token, now);
      } catch (error) {
        const { sub, sid } = partOf<Payload>(token, 1);
        if (sub === undefined || sid === undefined || !isAccepted(token, now)) throw error;
        return { accountId: sub, sessionId: sid };
      }
    },
  });

describeMutants('AccessTokens', describeAccessTokens, () => new MemoryAccessTokens(), {
  'does not check the signature': accepting((token, now) => {
    const { iat = 0, exp = 0 } = partOf<Payload>(token, 1);
    return now >= iat * SECOND && now < exp * SECOND;
  }),
  'accepts unsigned tokens of the algorithm "none"': accepting(
    (token) => partOf<{ alg: string }>(token, 0).alg === 'none',
  ),
  'accepts a signature in another encoding': (original) => ({
    verify: (token, now) => original.verify(token.replace(/=+$/, ''), now),
  }),
  'accepts a token for one second after its expiry': verifyingAt((now, { exp = 0 }) =>
    now >= exp * SECOND && now < (exp + 1) * SECOND ? exp * SECOND - 1 : now,
  ),
  'accepts tokens before they were issued': verifyingAt((now, { iat = 0 }) => Math.max(now, iat * SECOND)),
  'uses the system clock': verifyingAt(() => Date.now() * 1000),
  'checks the time before the signature': (original) => ({
    verify: (token, now) => {
      const { exp = Infinity } = partOf<Payload>(token, 1);
      if (now >= exp * SECOND) throw new AppError('TOKEN_EXPIRED', 'Expired.');
      return original.verify(token, now);
    },
  }),
  'throws the errors of its parser': (original) => ({
    verify: (token, now) => {
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      return original.verify(token, now);
    },
  }),
  'signs tokens of the type JWT': (original) => {
    const [ours, theirs] = ['{"alg":"HS256","typ":"at+jwt"}', '{"alg":"HS256","typ":"JWT"}'].map((header) =>
      Buffer.from(header).toString('base64url'),
    );
    return {
      sign: (...given) => original.sign(...given).replace(`${ours}.`, `${theirs}.`),
      verify: (token, now) => original.verify(token.replace(`${theirs}.`, `${ours}.`), now),
    };
  },
  'repeats the token in its error messages': (original) => ({
    verify: (token, now) => {
      try {
        return original.verify(token, now);
      } catch (error) {
        if (!isAppError(error)) throw error;
        throw new AppError(error.code, `The token ${token} is not valid.`);
      }
    },
  }),
});
