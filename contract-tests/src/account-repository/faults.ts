import type { AccountRepository } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { anAccount } from './samples.ts';

const [reader, newcomer] = [anAccount(), anAccount()];
const hash = `${reader.passwordHash}new`;

export const accountFaultCases: readonly FaultCase<AccountRepository>[] = [
  {
    what: 'add',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.add(newcomer),
    first: true,
    again: [false, threw('TypeError')],
    look: async (accounts) => [await accounts.find(reader.id), await accounts.findByEmail(newcomer.email)],
    before: [reader, undefined],
    after: [reader, newcomer],
  },
  {
    what: 'changePassword',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.changePassword(reader.id, reader.passwordHash, hash),
    first: true,
    again: [false],
    look: (accounts) => accounts.find(reader.id),
    before: reader,
    after: { ...reader, passwordHash: hash },
  },
  {
    what: 'findByEmail',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.findByEmail(reader.email),
    first: reader,
    look: (accounts) => accounts.find(reader.id),
    before: reader,
    after: reader,
  },
  {
    what: 'close',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.close(reader.id, at(1)),
    first: undefined,
    look: async (accounts) => [await accounts.closed(), await accounts.findByEmail(reader.email)],
    before: [[], reader],
    after: [[{ id: reader.id, closedAt: at(1) }], undefined],
  },
];
