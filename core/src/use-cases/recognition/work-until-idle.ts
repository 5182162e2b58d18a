import type { Cancellation } from '../../units.ts';
import type { WorkSettings } from './work-settings.ts';
import { workOnNextDocument, type WorkedDocument, type WorkPorts } from './work-on-next-document.ts';

/**
 * Works on documents, up to `documentsAtOnce` at a time, until no document is due or `signal` aborts. Returns the
 * outcome of each. It does not wait for the retry of a postponed document. Throws if the store cannot be reached, after
 * the running work has ended.
 */
export const workUntilIdle = (ports: WorkPorts, settings: WorkSettings & { readonly documentsAtOnce: number }) => {
  const work = workOnNextDocument(ports, settings);
  return async (signal: Cancellation): Promise<readonly WorkedDocument[]> => {
    const worked: WorkedDocument[] = [];
    const workLane = async (): Promise<void> => {
      while (!signal.aborted) {
        const next = await work(signal);
        if (next === undefined) return;
        worked.push(next);
      }
    };
    const lanes = Array.from({ length: settings.documentsAtOnce }, workLane);
    const results = await Promise.allSettled(lanes);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return worked;
  };
};
