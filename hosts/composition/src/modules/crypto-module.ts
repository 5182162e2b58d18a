import { join } from 'node:path';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

const AUDIENCE = 'palimpsest-api';

/** Password hashes, tokens, ids and checksums, from Node itself and jsonwebtoken. */
export const openCryptoModule: OpenModule = async ({ config }) => {
  const crypto = await import('@palimpsest/crypto');
  const secret =
    config.jwtSecret === undefined
      ? await crypto.loadOrCreateSecret(join(config.dataDir, 'jwt-secret'))
      : new TextEncoder().encode(config.jwtSecret);
  return portsModule({
    accessTokens: new crypto.JwtAccessTokens({ secret, issuer: config.publicUrl, audience: AUDIENCE }),
    checksums: new crypto.NodeChecksums(),
    ids: new crypto.UuidV7Ids(),
    passwordHasher: new crypto.Argon2idPasswordHasher(),
    secretTokens: new crypto.RandomSecretTokens({ key: secret }),
  });
};
