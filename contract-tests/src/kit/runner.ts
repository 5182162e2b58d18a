/** What a runner may lend to a `describe`: mocha does, others give nothing, or something else under that name. */
type Suite = { readonly timeout?: unknown } | undefined;

/**
 * A `describe` whose tests and hooks may take `timeoutMs` each, where the runner lets itself be told (mocha does).
 * Elsewhere its own limit holds, which is to be long enough.
 */
export const describePatiently = (title: string, timeoutMs: number, tests: () => void): void => {
  void describe(title, function (this: Suite) {
    if (typeof this?.timeout === 'function') this.timeout(timeoutMs);
    tests();
  });
};
