/** A replaced `Date`. */
export interface ShiftedDate {
  advance(ms: number): void;
  restore(): void;
}

/** Replaces `Date` by a clock that returns `now()`. Adapters that do not use the port `Clock` then use this time, too. */
const replaceDate = (now: () => number): (() => void) => {
  const Real = globalThis.Date;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: readonly unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new Real(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
  return () => {
    globalThis.Date = Real;
  };
};

/**
 * Replaces `Date` by a clock that does not depend on the speed of the machine: each call of `now` advances
 * it by 1 ms, so that no two events have the same time.
 */
export const steppedDate = (): ShiftedDate => {
  let time = Date.now();
  const restore = replaceDate(() => time++);
  return { advance: (ms) => void (time += ms), restore };
};
