import type { AccountTokenRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { anAccountToken } from './samples.ts';

const token = anAccountToken();
const nextToken = anAccountToken({ requestedAt: at(10), expiresAt: at(7200) });

export const accountTokenFaultCases: readonly FaultCase<AccountTokenRepository>[] = [
  {
    what: 'issue',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.issue(nextToken),
    first: true,
    look: async (tokens) => [
      await tokens.find(token.digest, token.purpose),
      await tokens.find(nextToken.digest, token.purpose),
    ],
    after: [undefined, nextToken],
  },
  {
    what: 'spend',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.spend(token.digest, token.purpose),
    first: true,
    again: [false],
    look: (tokens) => tokens.find(token.digest, token.purpose),
    before: token,
    after: undefined,
  },
  {
    what: 'find',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.find(token.digest, token.purpose),
    first: token,
    look: (tokens) => tokens.find(token.digest, token.purpose),
    before: token,
    after: token,
  },
];
