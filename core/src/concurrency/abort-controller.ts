import type { Cancellation } from '../units.ts';
import { whenAborted } from './when-aborted.ts';

/** The part of the platform's `AbortController` that the core uses. Every JavaScript runtime has it. */
interface PlatformController {
  readonly signal: Cancellation;
  abort(reason: unknown): void;
}

declare const AbortController: new () => PlatformController;

/** A controller that is linked to a parent signal. */
export interface LinkedController extends PlatformController {
  /** Unlinks the signal from its parent. */
  unlink(): void;
}

/**
 * A controller whose signal also aborts when `parent` aborts. The caller must call `unlink` when its work has ended.
 */
export const linkedController = (parent: Cancellation): LinkedController => {
  const controller = new AbortController();
  const unlink = whenAborted(parent, () => controller.abort(parent.reason));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink,
  };
};

/** A controller without a parent. */
export const newController = (): PlatformController => new AbortController();
