import type { RevisionRepository } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';

const revision = (number: number) => ({ number, revisedAt: at(number), text: `text ${number}` });

export const revisionFaultCases: readonly FaultCase<RevisionRepository>[] = [
  {
    what: 'append with expectedNewest',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }, 1),
    first: revision(2),
    again: [threw('REVISION_CONFLICT')],
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(2), revision(1)],
  },
  {
    what: 'append',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }),
    first: revision(2),
    again: [{ ...revision(2), number: 3 }],
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(2), revision(1)],
    afterRepeat: [[{ ...revision(2), number: 3 }, revision(2), revision(1)]],
  },
  {
    what: 'newest',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.newest('document-1'),
    first: revision(1),
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(1)],
  },
];
