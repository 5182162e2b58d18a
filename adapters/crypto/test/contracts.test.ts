import { randomBytes } from 'node:crypto';
import {
  describeAccessTokens,
  describeChecksums,
  describeClock,
  describeIdGenerator,
  describePasswordHasher,
  describeSecretTokens,
  describeTimer,
} from '@palimpsest/contract-tests';
import {
  Argon2idPasswordHasher,
  argon2id,
  JwtAccessTokens,
  NodeChecksums,
  RandomSecretTokens,
  scryptAt,
  SystemClock,
  SystemTimer,
  UuidV7Ids,
} from '@palimpsest/crypto';

const opening =
  <T>(make: () => T) =>
  async () => ({ subject: make(), openSecond: async () => make(), close: async () => {} });

const secret = randomBytes(32);

describePasswordHasher(
  'Argon2idPasswordHasher',
  opening(() => new Argon2idPasswordHasher({ scheme: argon2id })),
);
describePasswordHasher(
  'Argon2idPasswordHasher without Argon2',
  opening(() => new Argon2idPasswordHasher({ scheme: scryptAt(12) })),
);
describeAccessTokens(
  'JwtAccessTokens',
  opening(() => new JwtAccessTokens({ secret, issuer: 'issuer', audience: 'audience' })),
);
describeSecretTokens('RandomSecretTokens', async () => {
  const key = randomBytes(32);
  return {
    subject: new RandomSecretTokens({ key }),
    openSecond: async () => new RandomSecretTokens({ key }),
    close: async () => {},
  };
});
describeIdGenerator(
  'UuidV7Ids',
  opening(() => new UuidV7Ids()),
);
describeChecksums(
  'NodeChecksums',
  opening(() => new NodeChecksums()),
);
describeClock(
  'SystemClock',
  opening(() => new SystemClock()),
);
describeTimer(
  'SystemTimer',
  opening(() => ({ timer: new SystemTimer(), elapse: () => {}, elapsedMs: () => performance.now() })),
);
