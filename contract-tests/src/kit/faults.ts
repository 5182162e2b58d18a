/**
 * Makes the connection to a backend fail. A fault affects every handle on the tested store and is active when its call
 * resolves. Faults may be combined.
 */
export interface Faults {
  /** Breaks every open connection with all its requests. New connections can be made at once. */
  dropConnections(): Promise<void>;
  /** The next `count` requests fail before they reach the backend (`Infinity`: all until `restore`). */
  failNext(count: number): Promise<void>;
  /** The backend executes the next `count` requests, but the connection breaks before the answer arrives. */
  loseAnswers(count: number): Promise<void>;
  /** Each answer arrives `ms` milliseconds late (0: without delay). */
  slow(ms: number): Promise<void>;
  /** Ends all faults. Safe to repeat. */
  restore(): Promise<void>;
}

/** The reason for an adapter without a connection to exclude `faults`. */
export const NO_CONNECTION = 'the adapter uses no connection';
