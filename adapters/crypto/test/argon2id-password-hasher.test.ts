import { Argon2idPasswordHasher, argon2id, scrypt, scryptAt, type PasswordScheme } from '@palimpsest/crypto';
import { AppError } from '@palimpsest/core';
import { expect } from 'chai';

describe('Argon2idPasswordHasher', () => {
  it('creates Argon2id hashes with the costs that OWASP recommends, in the PHC format', async () => {
    expect(await new Argon2idPasswordHasher().hash('x')).to.match(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('verifies a hash of the reference implementation of Argon2', async () => {
    // From the test vectors of https://github.com/P-H-C/phc-winner-argon2.
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    const hasher = new Argon2idPasswordHasher();
    expect([await hasher.verify('password', hash), await hasher.verify('passworD', hash)]).to.deep.equal([true, false]);
  });

  it('verifies hashes of both schemes', async () => {
    const salt = Buffer.alloc(16, 1);
    const hashes = [await argon2id.hash('x', salt), await scryptAt(10).hash('x', salt)];
    for (const scheme of [argon2id, scryptAt(10)]) {
      const hasher = new Argon2idPasswordHasher({ scheme });
      for (const hash of hashes)
        expect([await hasher.verify('x', hash), await hasher.verify('y', hash)]).to.deep.equal([true, false]);
    }
  });

  it('creates scrypt hashes with the costs that OWASP recommends', async () => {
    expect(await scrypt.hash('x', Buffer.alloc(16, 1))).to.match(/^\$scrypt-sha512\$ln=17,r=8,p=1\$/);
  });

  it('throws TypeError for a malformed or unknown stored hash', async () => {
    for (const hash of [
      '',
      'x',
      '$argon2id$',
      '$2b$10$abc',
      '$argon2id$v=19$m=19456,t=2,p=1$$',
      '$scrypt-sha512$ln=1',
    ]) {
      const error: unknown = await new Argon2idPasswordHasher().verify('x', hash).catch((error: unknown) => error);
      expect(error, hash).to.be.instanceOf(TypeError);
    }
  });

  it('verifies a password without a stored hash with the work of one new hash, so that the time does not reveal it', async () => {
    const hashed: string[] = [];
    const scheme: PasswordScheme = {
      ...argon2id,
      hash: async (password) => {
        hashed.push(password);
        return '$x$';
      },
    };
    expect(await new Argon2idPasswordHasher({ scheme }).verify('x', undefined)).to.equal(false);
    expect(hashed).to.deep.equal(['x']);
  });

  it('runs at most maxRunning hashes, lets maxWaiting callers wait, and rejects further ones with SERVICE_UNAVAILABLE', async () => {
    const finish: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const scheme: PasswordScheme = {
      ...argon2id,
      hash: async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => finish.push(resolve));
        running--;
        return '$x$';
      },
    };
    const hasher = new Argon2idPasswordHasher({ scheme, maxRunning: 2, maxWaiting: 3 });
    const begun = Array.from({ length: 7 }, (_, i) => (i % 2 ? hasher.hash('x') : hasher.verify('x', undefined)));
    const settled = Promise.allSettled(begun);
    const refused = await Promise.allSettled(begun.slice(5));
    for (const result of refused) {
      expect(result.status === 'rejected' && result.reason)
        .to.be.instanceOf(AppError)
        .with.property('code', 'SERVICE_UNAVAILABLE');
    }
    for (let ended = 0; ended < 5;) {
      const next = finish.shift();
      if (next) ended++;
      next?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await settled).filter(({ status }) => status === 'fulfilled')).to.have.length(5);
    expect(most).to.equal(2);
  });

  it('accepts further calls after hashing has failed', async () => {
    let failing = true;
    const scheme: PasswordScheme = {
      ...argon2id,
      hash: async () => (failing ? Promise.reject(new Error('broken')) : '$x$'),
    };
    const hasher = new Argon2idPasswordHasher({ scheme, maxRunning: 1, maxWaiting: 0 });
    for (let i = 0; i < 3; i++)
      expect(await hasher.hash('x').catch((error: unknown) => error)).to.have.property('message', 'broken');
    failing = false;
    expect(await hasher.hash('x')).to.equal('$x$');
  });
});
