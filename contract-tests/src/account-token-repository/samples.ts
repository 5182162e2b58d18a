import type { AccountToken } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** A new token for resetting a password, requested at `at(0)`, that expires at `at(3600)`. */
export const anAccountToken = (given: Partial<AccountToken> = {}): AccountToken => ({
  accountId: 'account-1',
  purpose: 'reset-password',
  digest: sampleId().replaceAll('-', '').padStart(64, 'a'),
  requestedAt: at(0),
  expiresAt: at(3600),
  ...given,
});
