import type { Account } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** An account with a new id and address. */
export const anAccount = (given: Partial<Account> = {}): Account => {
  const id = given.id ?? sampleId();
  return {
    id,
    email: `${id}@example.org`,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNo',
    emailVerified: false,
    createdAt: at(0),
    ...given,
  };
};
