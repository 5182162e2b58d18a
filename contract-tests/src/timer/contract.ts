import type { Timer } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, type Open } from '../kit/harness.ts';

/** A timer and its time. */
export interface TimedTimer {
  readonly timer: Timer;
  /** Advances the time if the timer has a clock of the test. Does nothing for real time. */
  elapse(ms: number): void;
  /** The elapsed time in milliseconds since a fixed time. */
  elapsedMs(): number;
}

const HOUR_MS = 3_600_000;

/** Tests every promise of {@link Timer}. */
export const describeTimer = (name: string, open: Open<TimedTimer>): void => {
  describe(`${name}, a Timer`, () => {
    const opened = openForEach(open);

    /** Waits and returns the duration of the wait in milliseconds. */
    const measure = async (timed: TimedTimer, ms: number): Promise<number> => {
      const startedAt = timed.elapsedMs();
      const ended = timed.timer.wait(ms, new AbortController().signal).then(() => timed.elapsedMs() - startedAt);
      for (let step = 0; step < 2; step++) {
        await new Promise((resolve) => setImmediate(resolve));
        timed.elapse(ms / 2);
      }
      return ended;
    };

    it('does not end a wait early', async () => {
      for (const ms of [2, 6, 20]) expect(await measure(opened().subject, ms)).to.be.at.least(ms);
    });

    it('ends a wait of 0 ms without more time', async () => {
      await opened().subject.timer.wait(0, new AbortController().signal);
    });

    it('ends a wait when its signal is aborted', async () => {
      const controller = new AbortController();
      const wait = opened().subject.timer.wait(HOUR_MS, controller.signal);
      controller.abort(new Error('enough'));
      await wait;
    });

    it('does not wait if the signal is aborted already', async () => {
      await opened().subject.timer.wait(HOUR_MS, AbortSignal.abort(new Error('enough')));
    });

    it('continues a wait when the signal of another wait is aborted', async () => {
      const { subject } = opened();
      const controller = new AbortController();
      const other = subject.timer.wait(HOUR_MS, controller.signal);
      const measured = measure(subject, 10);
      controller.abort(new Error('enough'));
      await other;
      expect(await measured).to.be.at.least(10);
    });

    it('ends two waits on one signal when it is aborted', async () => {
      const { timer } = opened().subject;
      const controller = new AbortController();
      const waits = [timer.wait(HOUR_MS, controller.signal), timer.wait(2 * HOUR_MS, controller.signal)];
      controller.abort(new Error('enough'));
      await Promise.all(waits);
    });
  });
};
