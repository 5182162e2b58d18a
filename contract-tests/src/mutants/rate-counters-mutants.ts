import { plusMs, type CountedWindow, type Instant, type RateCounters } from '@palimpsest/core';
import type { TimedRateCounters } from '../rate-counters/contract.ts';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

interface Windows {
  readonly stored: Map<string, CountedWindow>;
  readonly now: () => Instant;
  readonly open: (key: string) => CountedWindow | undefined;
}

const soundOver = ({ stored, now, open }: Windows): RateCounters => ({
  hit: async (key, windowMs) => {
    const found = open(key);
    const window = { count: (found?.count ?? 0) + 1, endsAt: found?.endsAt ?? plusMs(now(), windowMs) };
    stored.set(key, window);
    return { ...window };
  },
  peek: async (key) => structuredClone(open(key)),
  takeBack: async (key) => {
    const found = open(key);
    if (found === undefined) return;
    if (found.count > 1) stored.set(key, { ...found, count: found.count - 1 });
    else stored.delete(key);
  },
  clear: async (key) => void stored.delete(key),
});

/** Counters over a plain map that lies beside the sound ones and has their clock, with some methods of their own. */
const withFlaw = (flaw: (windows: Windows, sound: RateCounters) => Partial<RateCounters>): Mutant<TimedRateCounters> =>
  mutant(() => {
    const stored = new Map<string, CountedWindow>();
    return ({ now }) => {
      const open = (key: string): CountedWindow | undefined => {
        const found = stored.get(key);
        return found !== undefined && found.endsAt > now() ? found : undefined;
      };
      const windows: Windows = { stored, now, open };
      const sound = soundOver(windows);
      return { counters: { ...sound, ...flaw(windows, sound) } };
    };
  });

const withKeys = (change: (key: string) => string): Mutant<TimedRateCounters> =>
  withFlaw((_windows, sound) => ({
    hit: (key, windowMs) => sound.hit(change(key), windowMs),
    peek: (key) => sound.peek(change(key)),
    takeBack: (key) => sound.takeBack(change(key)),
    clear: (key) => sound.clear(change(key)),
  }));

const withLength = (change: (windowMs: number) => number): Mutant<TimedRateCounters> =>
  withFlaw((_windows, sound) => ({ hit: (key, windowMs) => sound.hit(key, change(windowMs)) }));

/** What the mutants are made of, without a flaw. */
export const soundRateCounters: Mutant<TimedRateCounters> = withFlaw(() => ({}));

/** Broken rate counters, by what is wrong with them. */
export const rateCountersMutants: Mutants<TimedRateCounters> = {
  'counts nothing': withFlaw(({ now }) => ({
    hit: async (_key, windowMs) => ({ count: 1, endsAt: plusMs(now(), windowMs) }),
  })),
  'counts from 0': withFlaw((_windows, sound) => ({
    hit: async (key, windowMs) => {
      const window = await sound.hit(key, windowMs);
      return { ...window, count: window.count - 1 };
    },
  })),
  'stops counting at 100': withFlaw(({ stored, open }, sound) => ({
    hit: async (key, windowMs) => {
      const found = open(key);
      if (found?.count === 100) stored.set(key, { ...found, count: 99 });
      return sound.hit(key, windowMs);
    },
  })),
  'lets the window slide with each hit': withFlaw(({ stored, now }, sound) => ({
    hit: async (key, windowMs) => {
      const window = { ...(await sound.hit(key, windowMs)), endsAt: plusMs(now(), windowMs) };
      stored.set(key, window);
      return { ...window };
    },
  })),
  'takes the length that the last hit asked for': withFlaw(({ stored, open, now }, sound) => {
    const begun = new Map<string, Instant>();
    return {
      hit: async (key, windowMs) => {
        if (open(key) === undefined) begun.set(key, now());
        const window = { ...(await sound.hit(key, windowMs)), endsAt: plusMs(begun.get(key) ?? now(), windowMs) };
        stored.set(key, window);
        return { ...window };
      },
    };
  }),
  'begins windows at whole multiples of their length': withFlaw(({ now, open, stored }) => ({
    hit: async (key, windowMs) => {
      const micros = windowMs * 1000;
      const window = { count: (open(key)?.count ?? 0) + 1, endsAt: (Math.floor(now() / micros) + 1) * micros };
      stored.set(key, window);
      return { ...window };
    },
  })),
  'ends windows a millisecond late': withLength((windowMs) => windowMs + 1),
  'ends windows a millisecond early': withLength((windowMs) => windowMs - 1),
  'rounds windows to whole seconds': withLength((windowMs) => Math.ceil(windowMs / 1000) * 1000),
  'cuts windows to whole seconds, if they are longer than one': withLength((windowMs) =>
    windowMs < 1000 ? windowMs : Math.floor(windowMs / 1000) * 1000,
  ),
  'has no window that is longer than a day': withLength((windowMs) => Math.min(windowMs, 24 * 3_600_000)),
  'keeps a window open at its end': withFlaw(({ stored, now }, sound) => ({
    hit: async (key, windowMs) => {
      const found = stored.get(key);
      if (found?.endsAt !== now()) return sound.hit(key, windowMs);
      stored.set(key, { ...found, count: found.count + 1 });
      return { ...found, count: found.count + 1 };
    },
  })),
  'never ends a window': withFlaw(({ stored, now }) => ({
    hit: async (key, windowMs) => {
      const found = stored.get(key);
      const window = { count: (found?.count ?? 0) + 1, endsAt: found?.endsAt ?? plusMs(now(), windowMs) };
      stored.set(key, window);
      return { ...window };
    },
  })),
  'reads, waits and then writes': withFlaw(({ stored, now, open }) => ({
    hit: async (key, windowMs) => {
      const found = open(key);
      await Promise.resolve();
      const window = { count: (found?.count ?? 0) + 1, endsAt: found?.endsAt ?? plusMs(now(), windowMs) };
      stored.set(key, window);
      return { ...window };
    },
  })),
  'opens a window for each of the first hits that come at once': withFlaw(({ stored, open }, sound) => ({
    hit: async (key, windowMs) => {
      const isFirst = open(key) === undefined;
      await Promise.resolve();
      if (isFirst) stored.delete(key);
      return sound.hit(key, windowMs);
    },
  })),
  'writes back what it read when it takes back': withFlaw(({ stored, open }) => ({
    takeBack: async (key) => {
      const found = open(key);
      await Promise.resolve();
      if (found === undefined) return;
      if (found.count > 1) stored.set(key, { ...found, count: found.count - 1 });
      else stored.delete(key);
    },
  })),
  'looks first and then takes back from what may be gone': withFlaw(({ stored, open }) => ({
    takeBack: async (key) => {
      if (open(key) === undefined) return;
      await Promise.resolve();
      const found = stored.get(key);
      if (found !== undefined) stored.set(key, { ...found, count: found.count - 1 });
    },
    peek: async (key) => {
      const found = open(key);
      return found !== undefined && found.count > 0 ? { ...found } : undefined;
    },
  })),
  'counts when it tells': withFlaw(({ open }, sound) => ({
    peek: async (key) => {
      const found = open(key);
      return found && sound.hit(key, 1);
    },
  })),
  'opens a window when it tells of none': withFlaw(({ open }, sound) => ({
    peek: async (key) => {
      const found = open(key);
      if (found === undefined) await sound.hit(key, 1000);
      return found && { ...found };
    },
  })),
  'tells of windows that have ended': withFlaw(({ stored }) => ({
    peek: async (key) => structuredClone(stored.get(key)),
  })),
  'tells of no window as one with a count of 0': withFlaw(({ now }, sound) => ({
    peek: async (key) => (await sound.peek(key)) ?? { count: 0, endsAt: plusMs(now(), 1000) },
  })),
  'takes nothing back': withFlaw(() => ({ takeBack: async () => {} })),
  'takes all back at once': withFlaw((_windows, sound) => ({ takeBack: (key) => sound.clear(key) })),
  'takes back into a window that has ended': withFlaw(({ stored, now }, sound) => ({
    takeBack: async (key) => {
      const found = stored.get(key);
      if (found === undefined || found.endsAt > now()) return sound.takeBack(key);
      stored.set(key, { count: -1, endsAt: plusMs(now(), 1000) });
    },
    peek: async (key) => {
      const window = await sound.peek(key);
      return window !== undefined && window.count > 0 ? window : undefined;
    },
  })),
  'gives credit when it takes back without a window': withFlaw(({ stored, open, now }, sound) => ({
    takeBack: async (key) => {
      const found = open(key);
      stored.set(key, { count: (found?.count ?? 0) - 1, endsAt: found?.endsAt ?? plusMs(now(), 60_000) });
    },
    peek: async (key) => {
      const window = await sound.peek(key);
      return window !== undefined && window.count > 0 ? window : undefined;
    },
  })),
  'keeps a window with nothing in it open': withFlaw(({ stored, open }, sound) => ({
    takeBack: async (key) => {
      const found = open(key);
      if (found !== undefined) stored.set(key, { ...found, count: Math.max(found.count - 1, 0) });
    },
    peek: async (key) => {
      const window = await sound.peek(key);
      return window?.count === 0 ? undefined : window;
    },
  })),
  'never takes the last hit back': withFlaw(({ open }, sound) => ({
    takeBack: async (key) => {
      if (open(key)?.count !== 1) await sound.takeBack(key);
    },
  })),
  'begins the window anew when it takes back': withFlaw(({ stored, now, open }) => ({
    takeBack: async (key) => {
      const found = open(key);
      if (found === undefined) return;
      if (found.count === 1) stored.delete(key);
      else stored.set(key, { count: found.count - 1, endsAt: plusMs(now(), 60_000) });
    },
  })),
  'throws when there is nothing to take back': withFlaw(({ open }, sound) => ({
    takeBack: async (key) => {
      if (open(key) === undefined) throw new Error('There is no window');
      await sound.takeBack(key);
    },
  })),
  'ends nothing': withFlaw(() => ({ clear: async () => {} })),
  'throws when there is no window to end': withFlaw(({ stored }) => ({
    clear: async (key) => {
      if (!stored.delete(key)) throw new Error('There is no window');
    },
  })),
  'sets the count back and keeps the window': withFlaw(({ stored, open }, sound) => ({
    clear: async (key) => {
      const found = open(key);
      if (found !== undefined) stored.set(key, { ...found, count: 0 });
    },
    peek: async (key) => {
      const window = await sound.peek(key);
      return window?.count === 0 ? undefined : window;
    },
  })),
  'ends the windows of all keys': withFlaw(({ stored }) => ({ clear: async () => stored.clear() })),
  'ends the windows of keys that begin alike': withFlaw(({ stored }) => ({
    clear: async (key) => {
      for (const each of stored.keys()) if (each.startsWith(key)) stored.delete(each);
    },
  })),
  'ends all windows at the end of the first': withFlaw(({ stored, now, open }) => {
    let end: Instant = 0;
    return {
      hit: async (key, windowMs) => {
        if (end <= now()) end = plusMs(now(), windowMs);
        const window = { count: (open(key)?.count ?? 0) + 1, endsAt: end };
        stored.set(key, window);
        return { ...window };
      },
    };
  }),
  'forgets all windows when there are many': withFlaw(({ stored }, sound) => ({
    hit: async (key, windowMs) => {
      if (stored.size > 2_000) stored.clear();
      return sound.hit(key, windowMs);
    },
  })),
  'gives out what it keeps': withFlaw(({ open, stored }, sound) => ({
    hit: async (key, windowMs) => {
      const window = await sound.hit(key, windowMs);
      stored.set(key, window);
      return window;
    },
    peek: async (key) => open(key),
  })),
  'folds the case of keys': withKeys((key) => key.toLowerCase()),
  'trims keys': withKeys((key) => key.trim()),
  'ends keys at a NUL': withKeys((key) => key.split('\0')[0] ?? ''),
  'brings keys to one form of Unicode': withKeys((key) => key.normalize('NFC')),
  'replaces lone surrogates in keys': withKeys((key) => key.toWellFormed()),
  'cuts keys to 255 characters': withKeys((key) => key.slice(0, 255)),
  'takes keys apart at colons': withKeys((key) => key.split(/[: ]/).join(' ')),
  'shares one window between all keys': withKeys(() => 'all'),
  'keeps a copy in each handle': mutant(() => ({ now }) => {
    const stored = new Map<string, CountedWindow>();
    const open = (key: string): CountedWindow | undefined => {
      const found = stored.get(key);
      return found !== undefined && found.endsAt > now() ? found : undefined;
    };
    return { counters: soundOver({ stored, now, open }) };
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
