/** The settings of a {@link CircuitBreaker}. */
export interface CircuitBreakerSettings {
  readonly openMs: number; // how long calls fail fast after a failure
  readonly now: () => number; // a monotonic clock in milliseconds
  readonly isFailure?: (error: unknown) => boolean; // whether an error is a failure of the dependency; default: always
}

/**
 * A circuit breaker: after a failure, calls fail fast with the same error for `openMs`. Then one call at a time tries
 * again, and the others still fail fast, until one call succeeds.
 */
export class CircuitBreaker {
  readonly #settings: CircuitBreakerSettings;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #isProbing = false;

  constructor(settings: CircuitBreakerSettings) {
    this.#settings = settings;
  }

  /** Whether a call would fail fast now. */
  get isOpen(): boolean {
    if (this.#failure === undefined) return false;
    return this.#isProbing || this.#settings.now() - this.#failure.at < this.#settings.openMs;
  }

  /** Runs `call`, or throws the error of the last failure. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw this.#failure?.error;
    const isProbe = this.#failure !== undefined;
    if (isProbe) this.#isProbing = true;
    try {
      const result = await call();
      this.#failure = undefined;
      return result;
    } catch (error) {
      const { isFailure = () => true, now } = this.#settings;
      this.#failure = isFailure(error) ? { error, at: now() } : undefined;
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }
}
