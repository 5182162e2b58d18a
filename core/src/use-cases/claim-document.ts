import type { ProcessingDocument } from '../document/document.ts';
import { claim, type WorkRules } from '../document/lifecycle.ts';
import { AppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';

/**
 * The next document, now in the hands of the caller with the attempt counted; `undefined` if there is nothing to do.
 * Documents whose attempts are used up are failed on the way, and reported.
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
        `Work on document ${claimed.id} was begun ${claimed.attempts} times and never ended.`,
      );
      faults.report(fault, 'a document was given up');
    }
  };
