import type { AccountToken } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** A token of its own for a new password, asked for at `at(0)`, that works until `at(3600)`. */
export const anAccountToken = (given: Partial<AccountToken> = {}): AccountToken => ({
  accountId: 'account-1',
  purpose: 'reset-password',
  digest: sampleId().replaceAll('-', '').padStart(64, 'a'),
  requestedAt: at(0),
  expiresAt: at(3600),
  ...given,
});
