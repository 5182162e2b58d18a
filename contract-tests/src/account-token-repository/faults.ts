import type { AccountTokenRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { anAccountToken } from './samples.ts';

const token = anAccountToken();
const nextToken = anAccountToken({ requestedAt: at(10), expiresAt: at(7200) });

export const accountTokenFaultCases: readonly FaultCase<AccountTokenRepository>[] = [
  {
    title: 'issue',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.issue(nextToken),
    firstOutcome: true,
    readState: async (tokens) => [
      await tokens.find(token.digest, token.purpose),
      await tokens.find(nextToken.digest, token.purpose),
    ],
    stateAfter: [undefined, nextToken],
  },
  {
    title: 'spend',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.spend(token.digest, token.purpose),
    firstOutcome: true,
    repeatOutcomes: [false],
    readState: (tokens) => tokens.find(token.digest, token.purpose),
    stateBefore: token,
    stateAfter: undefined,
  },
  {
    title: 'find',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.find(token.digest, token.purpose),
    firstOutcome: token,
    readState: (tokens) => tokens.find(token.digest, token.purpose),
    stateBefore: token,
    stateAfter: token,
  },
];
