import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  expiredAccessToken,
  invalidAccessToken,
  toEpochMs,
  type AccessClaims,
  type AccessTokens,
  type Instant,
} from '@palimpsest/core';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
const MIN_SECRET_BYTES = 32; // RFC 7518, section 3.2: as long as the hash
const MAX_TOKEN_CHARACTERS = 4096; // the tokens of this class have about 400

const claimsSchema = z.object({ accountId: z.uuid(), sessionId: z.uuid() });

interface Payload {
  readonly sub: string;
  readonly sid: string;
  readonly iat: number; // seconds since the epoch, like `exp`
  readonly exp: number;
}

const toSeconds = (instant: Instant): number => Math.floor(toEpochMs(instant) / 1000);

/** Three parts in canonical base64url: unused bits are zero, and there is no padding. */
const isCanonical = (token: string): boolean =>
  /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) &&
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** The options of {@link JwtAccessTokens}; issuer and audience as in RFC 9068, section 2.2. */
export interface JwtOptions {
  readonly secret: Uint8Array | string; // at least 32 bytes, otherwise `TypeError`; a string in UTF-8
  readonly issuer: string;
  readonly audience: string;
}

/** Access tokens as JWTs with HMAC-SHA-256. Tokens with another algorithm, type or header parameter are rejected. */
export class JwtAccessTokens implements AccessTokens {
  readonly #key: KeyObject;
  readonly #issuer: string;
  readonly #audience: string;
  readonly #headerSchema = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal(TYPE) });
  readonly #payloadSchema: z.ZodType<Payload>;

  constructor({ secret, issuer, audience }: JwtOptions) {
    const bytes = Buffer.from(secret);
    if (bytes.length < MIN_SECRET_BYTES)
      throw new TypeError(`The token secret needs at least ${MIN_SECRET_BYTES} bytes`);
    this.#key = createSecretKey(bytes);
    this.#issuer = issuer;
    this.#audience = audience;
    this.#payloadSchema = z.object({
      iss: z.literal(issuer),
      aud: z.literal(audience),
      sub: z.uuid(),
      sid: z.uuid(),
      iat: z.int().nonnegative(),
      exp: z.int().nonnegative(),
    });
  }

  /** Signs a token. Throws `TypeError` for an id that is not a UUID. */
  sign(claims: AccessClaims, issuedAt: Instant, expiresAt: Instant): string {
    const { success, data } = claimsSchema.safeParse(claims);
    if (!success) throw new TypeError('The claims of an access token must be UUIDs');
    return jwt.sign({ sid: data.sessionId, iat: toSeconds(issuedAt), exp: toSeconds(expiresAt) }, this.#key, {
      algorithm: ALGORITHM,
      header: { alg: ALGORITHM, typ: TYPE },
      issuer: this.#issuer,
      audience: this.#audience,
      subject: data.accountId,
    });
  }

  verify(token: string, now: Instant): AccessClaims {
    const { sub, sid, iat, exp } = this.#authentic(token, toSeconds(now));
    if (iat > toSeconds(now)) throw invalidAccessToken();
    if (exp <= toSeconds(now)) throw expiredAccessToken();
    return { accountId: sub, sessionId: sid };
  }

  /** Returns the payload if everything but the time is valid, so that an expired forged token counts as forged. */
  #authentic(token: string, nowSeconds: number): Payload {
    if (token.length > MAX_TOKEN_CHARACTERS || !isCanonical(token)) throw invalidAccessToken();
    try {
      const { header, payload } = jwt.verify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: this.#issuer,
        audience: this.#audience,
        clockTimestamp: nowSeconds,
        ignoreExpiration: true,
        complete: true,
      });
      this.#headerSchema.parse(header);
      return this.#payloadSchema.parse(payload);
    } catch (error) {
      throw invalidAccessToken(error);
    }
  }
}
