/** The suite object that mocha passes to `describe` as `this`. Other test runners pass nothing or another object. */
type Suite = { readonly timeout?: unknown } | undefined;

/**
 * A `describe` whose tests and hooks may take `timeoutMs` each if the test runner is mocha. With other runners their own
 * timeout applies.
 */
export const describeWithTimeout = (title: string, timeoutMs: number, tests: () => void): void => {
  void describe(title, function (this: Suite) {
    if (typeof this?.timeout === 'function') this.timeout(timeoutMs);
    tests();
  });
};
