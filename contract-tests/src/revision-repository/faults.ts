import type { RevisionRepository } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';

const revision = (number: number) => ({ number, revisedAt: at(number), text: `text ${number}` });

export const revisionFaultCases: readonly FaultCase<RevisionRepository>[] = [
  {
    title: 'append with expectedNewest',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }, 1),
    firstOutcome: revision(2),
    repeatOutcomes: [threw('REVISION_CONFLICT')],
    readState: (revisions) => revisions.list('document-1'),
    stateBefore: [revision(1)],
    stateAfter: [revision(2), revision(1)],
  },
  {
    title: 'append',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }),
    firstOutcome: revision(2),
    repeatOutcomes: [{ ...revision(2), number: 3 }],
    readState: (revisions) => revisions.list('document-1'),
    stateBefore: [revision(1)],
    stateAfter: [revision(2), revision(1)],
    statesAfterRepeat: [[{ ...revision(2), number: 3 }, revision(2), revision(1)]],
  },
  {
    title: 'newest',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.newest('document-1'),
    firstOutcome: revision(1),
    readState: (revisions) => revisions.list('document-1'),
    stateBefore: [revision(1)],
    stateAfter: [revision(1)],
  },
];
