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

/** Verifies tokens at another moment than the given one. */
const verifyingAt =
  (moment: (now: Instant, payload: Partial<Payload>) => Instant): Mutant<AccessTokens> =>
  (sound) => ({ verify: (token, now) => sound.verify(token, moment(now, partOf(token, 1))) });

/** Accepts a token that the working adapter refuses, if `isAccepted`. */
const accepting =
  (isAccepted: (token: string, now: Instant) => boolean): Mutant<AccessTokens> =>
  (sound) => ({
    verify: (token, now) => {
      try {
        return sound.verify(token, now);
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
  'accepts tokens with other ways to write the signature': (sound) => ({
    verify: (token, now) => sound.verify(token.replace(/=+$/, ''), now),
  }),
  'lets a token live one second too long': verifyingAt((now, { exp = 0 }) =>
    now >= exp * SECOND && now < (exp + 1) * SECOND ? exp * SECOND - 1 : now,
  ),
  'accepts tokens before they were issued': verifyingAt((now, { iat = 0 }) => Math.max(now, iat * SECOND)),
  'goes by its own clock': verifyingAt(() => Date.now() * 1000),
  'checks the time before the signature': (sound) => ({
    verify: (token, now) => {
      const { exp = Infinity } = partOf<Payload>(token, 1);
      if (now >= exp * SECOND) throw new AppError('TOKEN_EXPIRED', 'Expired.');
      return sound.verify(token, now);
    },
  }),
  'lets the errors of its parser out': (sound) => ({
    verify: (token, now) => {
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      return sound.verify(token, now);
    },
  }),
  'makes tokens of the type JWT': (sound) => {
    const [ours, theirs] = ['{"alg":"HS256","typ":"at+jwt"}', '{"alg":"HS256","typ":"JWT"}'].map((header) =>
      Buffer.from(header).toString('base64url'),
    );
    return {
      sign: (...given) => sound.sign(...given).replace(`${ours}.`, `${theirs}.`),
      verify: (token, now) => sound.verify(token.replace(`${theirs}.`, `${ours}.`), now),
    };
  },
  'repeats the token in its refusals': (sound) => ({
    verify: (token, now) => {
      try {
        return sound.verify(token, now);
      } catch (error) {
        if (!isAppError(error)) throw error;
        throw new AppError(error.code, `The token ${token} is not valid.`);
      }
    },
  }),
});
