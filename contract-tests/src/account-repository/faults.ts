import type { AccountRepository } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { anAccount } from './samples.ts';

const [reader, newcomer] = [anAccount(), anAccount()];
const hash = `${reader.passwordHash}new`;

export const accountFaultCases: readonly FaultCase<AccountRepository>[] = [
  {
    title: 'add',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.add(newcomer),
    firstOutcome: true,
    repeatOutcomes: [false, threw('TypeError')],
    readState: async (accounts) => [await accounts.find(reader.id), await accounts.findByEmail(newcomer.email)],
    stateBefore: [reader, undefined],
    stateAfter: [reader, newcomer],
  },
  {
    title: 'changePassword',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.changePassword(reader.id, reader.passwordHash, hash),
    firstOutcome: true,
    repeatOutcomes: [false],
    readState: (accounts) => accounts.find(reader.id),
    stateBefore: reader,
    stateAfter: { ...reader, passwordHash: hash },
  },
  {
    title: 'findByEmail',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.findByEmail(reader.email),
    firstOutcome: reader,
    readState: (accounts) => accounts.find(reader.id),
    stateBefore: reader,
    stateAfter: reader,
  },
  {
    title: 'close',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.close(reader.id, at(1)),
    firstOutcome: undefined,
    readState: async (accounts) => [await accounts.closed(), await accounts.findByEmail(reader.email)],
    stateBefore: [[], reader],
    stateAfter: [[{ id: reader.id, closedAt: at(1) }], undefined],
  },
];
