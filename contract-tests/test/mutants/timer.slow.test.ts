import type { Timer } from '@palimpsest/core';
import { MemoryClock } from '@palimpsest/memory';
import { describeTimer, type TimedTimer } from '../../src/index.ts';
import { describeMutants, inPart, type Mutants } from './mutant.ts';

const neverAborted = new AbortController().signal;

const openTimer = (): TimedTimer => {
  const timer = new MemoryClock();
  return { timer, elapse: (ms) => timer.advance(ms), elapsedMs: () => timer.now() / 1000 };
};

const mutants: Mutants<Timer> = {
  'does not wait': () => ({ wait: async () => {} }),
  'ignores a signal that is already aborted': (original) => ({
    wait: (ms, signal) => original.wait(ms, signal.aborted ? neverAborted : signal),
  }),
  'rejects when the signal is aborted': (original) => ({
    wait: async (ms, signal) => {
      await original.wait(ms, signal);
      signal.throwIfAborted();
    },
  }),
  'ends all waits when one is aborted': (original) => {
    const all = new AbortController();
    return {
      wait: (ms, signal) => {
        signal.addEventListener('abort', () => all.abort(), { once: true });
        return signal.aborted ? Promise.resolve() : original.wait(ms, all.signal);
      },
    };
  },
};

describeMutants('Timer', describeTimer, openTimer, inPart<'timer', Timer, TimedTimer>('timer', mutants));
