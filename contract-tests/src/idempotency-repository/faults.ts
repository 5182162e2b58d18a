import type { IdempotencyRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { aKeyedRequest } from './samples.ts';

const request = aKeyedRequest();

export const idempotencyFaultCases: readonly FaultCase<IdempotencyRepository>[] = [
  {
    what: 'begin',
    call: (keys) => keys.begin(request, at(0)),
    first: { kind: 'begun', resourceId: request.resourceId },
    again: [{ kind: 'held', until: request.heldUntil }],
    look: (keys) => keys.begin({ ...request, fingerprint: 'another' }, at(1)),
    after: { kind: 'other' },
  },
  {
    what: 'answer',
    prepare: (keys) => keys.begin(request, at(0)),
    call: (keys) => keys.answer(request.accountId, request.key, '201 Created'),
    first: undefined,
    look: (keys) => keys.begin(request, at(1)),
    before: { kind: 'held', until: request.heldUntil },
    after: { kind: 'answered', answer: '201 Created' },
  },
  {
    what: 'begin (answered)',
    prepare: async (keys) => {
      await keys.begin(request, at(0));
      await keys.answer(request.accountId, request.key, '201 Created');
    },
    call: (keys) => keys.begin(request, at(1)),
    first: { kind: 'answered', answer: '201 Created' },
    look: (keys) => keys.begin(request, at(1)),
    before: { kind: 'answered', answer: '201 Created' },
    after: { kind: 'answered', answer: '201 Created' },
  },
];
