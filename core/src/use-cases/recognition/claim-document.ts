import type { ProcessingDocument } from '../../document/document.ts';
import { claim, type WorkRules } from '../../document/lifecycle.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Claims the next document: the caller holds its lease, and the attempt is counted. `undefined` if no document is due.
 * A document whose attempts are all used fails instead; that is reported, and the next document is claimed.
 */
export const claimDocument =
  ({ documents, ids, clock, faults }: Pick<Ports, 'documents' | 'ids' | 'clock' | 'faults'>, rules: WorkRules) =>
  async (): Promise<ProcessingDocument | undefined> => {
    for (;;) {
      const now = clock.now();
      const candidate = await documents.nextClaimable(now);
      if (!candidate) return undefined;
      const claimed = claim(candidate, ids.next(), now, rules);
      if (!(await documents.replace(claimed))) continue;
      if (claimed.status === 'processing') return claimed;
      const fault = new AppError(
        'ENGINE_CRASHED',
        `All ${claimed.attempts} attempts to process the document were interrupted.`,
      );
      faults.report(fault, `claiming document ${claimed.id}, whose attempts are all used; it failed`);
    }
  };
