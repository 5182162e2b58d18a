import type { Document, ProcessingDocument } from '../../document/document.ts';
import { requireLease, renew, type WorkRules } from '../../document/lifecycle.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';

/** A lease lasts for three heartbeat intervals, so that it survives a failed heartbeat. */
const HEARTBEATS_PER_LEASE = 3;

/**
 * Updates a document for the worker that holds its lease: applies `change` to the newest version, and again if another
 * version was stored meanwhile. Throws `LEASE_LOST` and stores nothing if the worker does not hold the lease any more.
 */
export const updateLeased =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async <T extends Document>(held: ProcessingDocument, change: (current: ProcessingDocument) => T): Promise<T> => {
    for (;;) {
      const next = change(requireLease(await documents.find(held.id), held.lease.token, clock.now()));
      if (await documents.replace(next)) return next;
    }
  };

/**
 * Heartbeat: renews the lease of a document until `ended` is aborted. When the lease is lost, it calls `onLost` once
 * and ends. Another error is reported, and the next heartbeat tries again.
 */
export const renewLeasePeriodically =
  (ports: Pick<Ports, 'documents' | 'clock' | 'timer' | 'faults'>, rules: WorkRules) =>
  async (held: ProcessingDocument, ended: Cancellation, onLost: (error: unknown) => void): Promise<void> => {
    const { clock, timer, faults } = ports;
    for (;;) {
      await timer.wait(rules.leaseMs / HEARTBEATS_PER_LEASE, ended);
      if (ended.aborted) return;
      try {
        await updateLeased(ports)(held, (current) => renew(current, clock.now(), rules));
      } catch (error) {
        if (isAppError(error, 'LEASE_LOST')) {
          onLost(error);
          return;
        }
        faults.report(error, `renewing the lease of document ${held.id}; the next heartbeat tries again`);
      }
    }
  };
