import { describeLongPasswordHasher } from '@palimpsest/contract-tests';
import { Argon2idPasswordHasher } from '@palimpsest/crypto';

describeLongPasswordHasher('Argon2idPasswordHasher', async () => ({
  subject: new Argon2idPasswordHasher(),
  close: async () => {},
}));
