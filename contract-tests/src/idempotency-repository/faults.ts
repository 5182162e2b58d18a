import type { IdempotencyRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { aKeyedRequest } from './samples.ts';

const request = aKeyedRequest();

export const idempotencyFaultCases: readonly FaultCase<IdempotencyRepository>[] = [
  {
    title: 'begin',
    call: (keys) => keys.begin(request, at(0)),
    firstOutcome: { kind: 'begun', resourceId: request.resourceId },
    repeatOutcomes: [{ kind: 'held', until: request.heldUntil }],
    readState: (keys) => keys.begin({ ...request, fingerprint: 'another' }, at(1)),
    stateAfter: { kind: 'other' },
  },
  {
    title: 'answer',
    prepare: (keys) => keys.begin(request, at(0)),
    call: (keys) => keys.answer(request.accountId, request.key, '201 Created'),
    firstOutcome: undefined,
    readState: (keys) => keys.begin(request, at(1)),
    stateBefore: { kind: 'held', until: request.heldUntil },
    stateAfter: { kind: 'answered', answer: '201 Created' },
  },
  {
    title: 'begin (answered)',
    prepare: async (keys) => {
      await keys.begin(request, at(0));
      await keys.answer(request.accountId, request.key, '201 Created');
    },
    call: (keys) => keys.begin(request, at(1)),
    firstOutcome: { kind: 'answered', answer: '201 Created' },
    readState: (keys) => keys.begin(request, at(1)),
    stateBefore: { kind: 'answered', answer: '201 Created' },
    stateAfter: { kind: 'answered', answer: '201 Created' },
  },
];
