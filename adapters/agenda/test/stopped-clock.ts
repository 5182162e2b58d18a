import { mock } from 'node:test';

/** Stops `Date` in this process until it is moved. Timers run on. */
export const stopTheClock = () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  return {
    now: (): number => Date.now() * 1_000,
    advance: (ms: number): void => mock.timers.setTime(Date.now() + ms),
    restart: (): void => mock.timers.reset(),
  };
};
