import type { Timer } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import type { TimedTimer } from '../timer/contract.ts';

const changed =
  (change: (sound: Timer) => Timer['wait']) =>
  (open: Open<TimedTimer>): Open<TimedTimer> =>
  async () => {
    const opened = await open();
    const { subject } = opened;
    return { ...opened, subject: { ...subject, timer: { wait: change(subject.timer) } } };
  };

/** Broken timers, by what is wrong with them. */
export const timerMutants: Readonly<Record<string, (open: Open<TimedTimer>) => Open<TimedTimer>>> = {
  'does not wait': changed(() => async () => {}),
  'ignores an aborted signal': changed(
    (sound) => (ms, signal) => sound.wait(ms, signal.aborted ? new AbortController().signal : signal),
  ),
  'ignores a signal that is aborted during the wait': changed(
    (sound) => (ms, signal) => (signal.aborted ? Promise.resolve() : sound.wait(ms, new AbortController().signal)),
  ),
  'rejects when the signal is aborted': changed((sound) => async (ms, signal) => {
    await sound.wait(ms, signal);
    signal.throwIfAborted();
  }),
  'ends all waits when one is aborted': changed((sound) => {
    const all = new AbortController();
    return (ms, signal) => {
      signal.addEventListener('abort', () => all.abort(), { once: true });
      return signal.aborted ? Promise.resolve() : sound.wait(ms, all.signal);
    };
  }),
};
