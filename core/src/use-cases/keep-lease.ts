import type { Document, ProcessingDocument } from '../document/document.ts';
import { heldBy, renew, type WorkRules } from '../document/lifecycle.ts';
import { isAppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Changes a document on behalf of the worker that holds it: `change` is applied to the newest version until it is stored.
 * Throws `LEASE_LOST` if the worker holds it no more; then nothing was stored.
 */
export const changeHeld =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async <T extends Document>(held: ProcessingDocument, change: (current: ProcessingDocument) => T): Promise<T> => {
    for (;;) {
      const next = change(heldBy(await documents.find(held.id), held.lease.token, clock.now()));
      if (await documents.replace(next)) return next;
    }
  };

/** A heartbeat of the worker that holds the document. `lost` if it holds it no more. */
export const keepLease =
  (ports: Pick<Ports, 'documents' | 'clock'>, rules: WorkRules) =>
  async (held: ProcessingDocument): Promise<'kept' | 'lost'> => {
    try {
      await changeHeld(ports)(held, (current) => renew(current, ports.clock.now(), rules));
      return 'kept';
    } catch (error) {
      if (isAppError(error, 'LEASE_LOST')) return 'lost';
      throw error;
    }
  };
