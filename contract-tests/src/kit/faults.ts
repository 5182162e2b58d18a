/**
 * Faults of the way to a backend, injected on purpose. They hit every handle on the store that is tested; each kind is
 * in force when its call resolves, and they may be combined.
 */
export interface Faults {
  /** Cuts every connection that is open now, with all that is under way on it. New ones can be made at once. */
  dropConnections(): Promise<void>;
  /** The next `count` requests fail before the backend has heard of them; all of them until `restore`, if it is `Infinity`. */
  failNext(count: number): Promise<void>;
  /** The next `count` requests are carried out, but the connection is cut before the caller hears of it. */
  loseAnswers(count: number): Promise<void>;
  /** Each answer comes `ms` milliseconds late; 0: in time. */
  slow(ms: number): Promise<void>;
  /** Ends all faults: the backend is within reach as at the beginning. Safe to repeat. */
  restore(): Promise<void>;
}

/** Why an adapter that keeps everything in its own process or files has no {@link Faults} to give. */
export const NO_CONNECTION = 'there is no connection to fail';
