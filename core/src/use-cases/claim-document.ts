import type { ProcessingDocument } from '../document/document.ts';
import { claim, type WorkRules } from '../document/lifecycle.ts';
import type { Ports } from '../ports/index.ts';

/**
 * The next document, now in the hands of the caller with the attempt counted; `undefined` if there is nothing to do.
 * Documents whose attempts are used up are failed on the way.
 */
export const claimDocument =
  ({ documents, ids, clock }: Pick<Ports, 'documents' | 'ids' | 'clock'>, rules: WorkRules) =>
  async (): Promise<ProcessingDocument | undefined> => {
    for (;;) {
      const now = clock.now();
      const candidate = await documents.nextClaimable(now);
      if (!candidate) return undefined;
      const claimed = claim(candidate, ids.next(), now, rules);
      if ((await documents.replace(claimed)) && claimed.status === 'processing') return claimed;
    }
  };
