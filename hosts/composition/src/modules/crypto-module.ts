import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

const AUDIENCE = 'palimpsest-api';

/** Passwords, tokens, identifiers and checksums, from Node itself and jsonwebtoken. */
export const openCryptoModule: OpenModule = async ({ config }) => {
  const crypto = await import('@palimpsest/crypto');
  const secret =
    config.jwtSecret === undefined
      ? await crypto.loadOrCreateSecret(join(config.dataDir, 'jwt-secret'))
      : new TextEncoder().encode(config.jwtSecret);
  return new ContainerModule(({ bind }) => {
    bind(T.accessTokens).toConstantValue(new crypto.JwtAccessTokens({ secret, issuer: config.publicUrl, audience: AUDIENCE }));
    bind(T.checksums).toConstantValue(new crypto.NodeChecksums());
    bind(T.ids).toConstantValue(new crypto.UuidV7Ids());
    bind(T.passwordHasher).toConstantValue(new crypto.Argon2idPasswordHasher());
    bind(T.secretTokens).toConstantValue(new crypto.RandomSecretTokens({ key: secret }));
  });
};
