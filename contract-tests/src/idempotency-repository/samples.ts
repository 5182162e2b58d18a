import type { KeyedRequest } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** A request with a new key and resource id, held until `at(300)`, that expires at `at(86_400)`. */
export const aKeyedRequest = (given: Partial<KeyedRequest> = {}): KeyedRequest => ({
  accountId: 'account-1',
  key: sampleId(),
  fingerprint: 'upload letter.pdf',
  resourceId: sampleId(),
  heldUntil: at(300),
  expiresAt: at(86_400),
  ...given,
});
