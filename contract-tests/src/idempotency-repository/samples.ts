import type { KeyedRequest } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** A request with a key and a resource of its own, held until `at(300)`; the key is free again from `at(86_400)` on. */
export const aKeyedRequest = (given: Partial<KeyedRequest> = {}): KeyedRequest => ({
  accountId: 'account-1',
  key: sampleId(),
  fingerprint: 'upload letter.pdf',
  resourceId: sampleId(),
  heldUntil: at(300),
  expiresAt: at(86_400),
  ...given,
});
