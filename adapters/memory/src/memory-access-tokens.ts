import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  expiredAccessToken,
  invalidAccessToken,
  type AccessClaims,
  type AccessTokens,
  type Instant,
} from '@palimpsest/core';

const MICROS_PER_SECOND = 1_000_000;
const HEADER = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url');

/** Access tokens as JWT, signed with HS256. Each object has a random key and accepts only the tokens that it signed. */
export class MemoryAccessTokens implements AccessTokens {
  readonly #key = randomBytes(32);

  sign({ accountId, sessionId }: AccessClaims, issuedAt: Instant, expiresAt: Instant): string {
    const [iat, exp] = [issuedAt, expiresAt].map((instant) => Math.floor(instant / MICROS_PER_SECOND));
    const payload = JSON.stringify({ iss: 'memory', aud: 'memory', sub: accountId, sid: sessionId, iat, exp });
    const content = `${HEADER}.${Buffer.from(payload).toString('base64url')}`;
    return `${content}.${this.#signature(content)}`;
  }

  verify(token: string, now: Instant): AccessClaims {
    const end = token.lastIndexOf('.');
    const [content, given] = [token.slice(0, Math.max(0, end)), Buffer.from(token.slice(end + 1))];
    const expected = Buffer.from(this.#signature(content));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidAccessToken();
    // The signature proves that `sign` wrote this payload, so it needs no further check.
    const { sub, sid, iat, exp }: { sub: string; sid: string; iat: number; exp: number } = JSON.parse(
      Buffer.from(content.slice(HEADER.length + 1), 'base64url').toString(),
    );
    if (now < iat * MICROS_PER_SECOND) throw invalidAccessToken();
    if (now >= exp * MICROS_PER_SECOND) throw expiredAccessToken();
    return { accountId: sub, sessionId: sid };
  }

  #signature(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('base64url');
  }
}
