import { createHmac, randomBytes } from 'node:crypto';
import { AppError, toEpochMs, type AccessTokens, type Instant } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

interface Content {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: string;
}

const seconds = (instant: Instant): number => Math.floor(toEpochMs(instant) / 1000);
const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const invalid = (): AppError => new AppError('INVALID_TOKEN', 'Invalid.');
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** Sound tokens in few lines, each check of which can be taken out. */
class PlainAccessTokens implements AccessTokens {
  readonly secret: string;

  constructor(secret: string) {
    this.secret = secret;
  }

  sign(
    { accountId, sessionId }: { accountId: string; sessionId: string },
    issuedAt: Instant,
    expiresAt: Instant,
  ): string {
    const payload = {
      iss: 'plain',
      aud: 'plain',
      sub: accountId,
      sid: sessionId,
      iat: seconds(issuedAt),
      exp: seconds(expiresAt),
    };
    const signed = `${json(this.header())}.${json(payload)}`;
    return `${signed}.${this.mac(signed)}`;
  }

  verify(token: string, now: Instant): { accountId: string; sessionId: string } {
    const content = this.parse(token);
    if (!this.isGenuine(content)) throw invalid();
    const { iat, exp, sub, sid } = content.payload;
    this.checkTime(Number(iat), Number(exp), seconds(now));
    return { accountId: String(sub), sessionId: String(sid) };
  }

  header(): object {
    return { alg: 'HS256', typ: 'at+jwt' };
  }

  mac(signed: string): string {
    return createHmac('sha256', this.secret).update(signed).digest('base64url');
  }

  parse(token: string): Content {
    if (!this.isWellWritten(token)) throw invalid();
    const [header = '', payload = '', signature = ''] = token.split('.');
    try {
      const parsed = [header, payload].map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()));
      return { header: Object(parsed[0]), payload: Object(parsed[1]), signed: `${header}.${payload}`, signature };
    } catch {
      throw invalid();
    }
  }

  isWellWritten(token: string): boolean {
    return token.length < 4096 && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) && token.split('.').every(isCanonical);
  }

  isGenuine({ signed, signature }: Content): boolean {
    return this.mac(signed) === signature;
  }

  checkTime(iat: number, exp: number, now: number): void {
    if (now < iat) throw invalid();
    if (now >= exp) throw new AppError('TOKEN_EXPIRED', 'Expired.');
  }
}

const opening =
  (Tokens: typeof PlainAccessTokens, secondSecret?: string): Open<AccessTokens> =>
  async () => {
    const secret = randomBytes(32).toString('hex');
    return {
      subject: new Tokens(secret),
      openSecond: async () => new Tokens(secondSecret ?? secret),
      close: async () => {},
    };
  };

/** The tokens that the mutants are made of pass the suite. */
export const plainAccessTokens = opening(PlainAccessTokens);

/** Broken tokens, by what is wrong with them. */
export const accessTokensMutants: Readonly<Record<string, Open<AccessTokens>>> = {
  'does not look at the signature': opening(
    class extends PlainAccessTokens {
      override isGenuine(): boolean {
        return true;
      }
    },
  ),
  'takes unsigned tokens that say so': opening(
    class extends PlainAccessTokens {
      override isWellWritten(token: string): boolean {
        return token.length < 4096 && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token) && token.split('.').every(isCanonical);
      }

      override isGenuine(content: Content): boolean {
        return content.header['alg'] === 'none' || super.isGenuine(content);
      }
    },
  ),
  'takes the key that a token brings along': opening(
    class extends PlainAccessTokens {
      override isGenuine(content: Content): boolean {
        const jwk = Object(content.header['jwk']);
        const key = Buffer.from(String(jwk.k ?? ''), 'base64url');
        return (
          super.isGenuine(content) ||
          (key.length > 0 && createHmac('sha256', key).update(content.signed).digest('base64url') === content.signature)
        );
      }
    },
  ),
  'signs with a well-known secret': opening(
    class extends PlainAccessTokens {
      override mac(signed: string): string {
        return createHmac('sha256', 'secret').update(signed).digest('base64url');
      }
    },
  ),
  'signs the payload only': opening(
    class extends PlainAccessTokens {
      override mac(signed: string): string {
        return super.mac(signed.split('.')[1] ?? '');
      }
    },
  ),
  'compares half of the signature': opening(
    class extends PlainAccessTokens {
      override isGenuine({ signed, signature }: Content): boolean {
        return this.mac(signed).slice(0, 20) === signature.slice(0, 20);
      }
    },
  ),
  'never lets a token expire': opening(
    class extends PlainAccessTokens {
      override checkTime(): void {}
    },
  ),
  'lets a token live a second too long': opening(
    class extends PlainAccessTokens {
      override checkTime(iat: number, exp: number, now: number): void {
        super.checkTime(iat, exp + 1, now);
      }
    },
  ),
  'takes tokens from the future': opening(
    class extends PlainAccessTokens {
      override checkTime(_: number, exp: number, now: number): void {
        super.checkTime(0, exp, now);
      }
    },
  ),
  'goes by the time of day': opening(
    class extends PlainAccessTokens {
      override checkTime(iat: number, exp: number): void {
        super.checkTime(iat, exp, Math.floor(Date.now() / 1000));
      }
    },
  ),
  'looks at the time before the signature': opening(
    class extends PlainAccessTokens {
      override verify(token: string, now: Instant): { accountId: string; sessionId: string } {
        const { payload } = this.parse(token);
        this.checkTime(Number(payload['iat']), Number(payload['exp']), seconds(now));
        return super.verify(token, now);
      }
    },
  ),
  'takes other ways of writing a signature': opening(
    class extends PlainAccessTokens {
      override isWellWritten(token: string): boolean {
        return /^[\w-]+\.[\w-]+\.[\w=-]+$/.test(token);
      }

      override isGenuine({ signed, signature }: Content): boolean {
        return Buffer.from(this.mac(signed), 'base64url').equals(Buffer.from(signature, 'base64url'));
      }
    },
  ),
  'trims tokens': opening(
    class extends PlainAccessTokens {
      override parse(token: string): Content {
        return super.parse(token.trim());
      }
    },
  ),
  'lets parsing errors out': opening(
    class extends PlainAccessTokens {
      override parse(token: string): Content {
        const [header = '', payload = ''] = token.split('.');
        JSON.parse(Buffer.from(header, 'base64url').toString());
        JSON.parse(Buffer.from(payload, 'base64url').toString());
        return super.parse(token);
      }
    },
  ),
  'mixes up account and session': opening(
    class extends PlainAccessTokens {
      override verify(token: string, now: Instant): { accountId: string; sessionId: string } {
        const { accountId, sessionId } = super.verify(token, now);
        return { accountId: sessionId, sessionId: accountId };
      }
    },
  ),
  'makes tokens of no type': opening(
    class extends PlainAccessTokens {
      override header(): object {
        return { alg: 'HS256', typ: 'JWT' };
      }
    },
  ),
  'makes a secret of its own in every process': opening(PlainAccessTokens, 'another secret'),
};
