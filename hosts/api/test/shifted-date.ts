/** Replaces `Date` by a clock that tests can advance, for adapters that read the time themselves. */
export const shiftDate = (): { advance(ms: number): void; restore(): void } => {
  const Real = globalThis.Date;
  let offset = 0;
  const now = (): number => Real.now() + offset;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: readonly unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new Real(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
  return {
    advance: (ms) => {
      offset += ms;
    },
    restore: () => {
      globalThis.Date = Real;
    },
  };
};
