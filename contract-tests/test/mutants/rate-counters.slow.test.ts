import { plusMs, type CountedWindow, type RateCounters } from '@palimpsest/core';
import { MemoryClock, MemoryRateCounters, type MemoryStore } from '@palimpsest/memory';
import { describeRateCounters, describeLongRateCounters, type TimedRateCounters } from '../../src/index.ts';
import { type DescribeSuite, describeStoreMutants, foldKeys, inPart, nextTurn } from './mutant.ts';

const clock = new MemoryClock();

const openHandle = (store: MemoryStore): TimedRateCounters => ({
  counters: new MemoryRateCounters(store, clock),
  advance: (ms) => clock.advance(ms),
  now: () => clock.now(),
});

const describeSuite: DescribeSuite<TimedRateCounters> = (name, open, without) => {
  describeRateCounters(name, open, without);
  describeLongRateCounters(name, open);
};

describeStoreMutants(
  'RateCounters',
  describeSuite,
  openHandle,
  inPart<'counters', RateCounters, TimedRateCounters>('counters', {
    'moves the end of the window with each hit': (original, { rateWindows }) => ({
      hit: async (key, windowMs) => {
        const moved = { ...(await original.hit(key, windowMs)), endsAt: plusMs(clock.now(), windowMs) };
        rateWindows.set(key, moved);
        return moved;
      },
    }),
    'starts windows at whole multiples of their length': (original, { rateWindows }) => ({
      hit: async (key, windowMs) => {
        const length = windowMs * 1000;
        const window = await original.hit(key, windowMs);
        if (window.count > 1) return window;
        const aligned = { count: 1, endsAt: (Math.floor(clock.now() / length) + 1) * length };
        rateWindows.set(key, aligned);
        return aligned;
      },
    }),
    'rounds windows to whole seconds': (original) => ({
      hit: (key, windowMs) => original.hit(key, Math.ceil(windowMs / 1000) * 1000),
    }),
    'keeps a window open at the time of its end': (original, { rateWindows }) => ({
      hit: (key, windowMs) => {
        const window = rateWindows.get(key);
        if (window?.endsAt === clock.now()) rateWindows.set(key, { ...window, endsAt: window.endsAt + 1 });
        return original.hit(key, windowMs);
      },
    }),
    'reads the count and writes it later, not atomically': (original, { rateWindows }) => ({
      hit: async (key, windowMs) => {
        const open = await original.peek(key);
        await nextTurn();
        const window: CountedWindow = {
          count: (open?.count ?? 0) + 1,
          endsAt: open?.endsAt ?? plusMs(clock.now(), windowMs),
        };
        rateWindows.set(key, window);
        return { ...window };
      },
    }),
    'loses hits that are counted during a `decrement`': (original, { rateWindows }) => ({
      decrement: async (key) => {
        const open = await original.peek(key);
        await nextTurn();
        if (open) rateWindows.set(key, open);
        await original.decrement(key);
      },
    }),
    'returns a window that has ended': (_original, { rateWindows }) => ({ peek: async (key) => rateWindows.get(key) }),
    'counts below zero when more hits are removed than were counted': (original, { rateWindows }) => ({
      decrement: async (key) => {
        const open = await original.peek(key);
        const endsAt = open?.endsAt ?? plusMs(clock.now(), 60_000);
        rateWindows.set(key, { count: (open?.count ?? 0) - 1, endsAt });
      },
    }),
    'keeps an empty window open when the last hit is removed': (original, { rateWindows }) => ({
      decrement: async (key) => {
        const open = await original.peek(key);
        await original.decrement(key);
        if (open?.count === 1) rateWindows.set(key, { ...open, count: 0 });
      },
    }),
    'drops open windows when there are many': (original, { rateWindows }) => ({
      hit: (key, windowMs) => {
        if (rateWindows.size > 2000) rateWindows.clear();
        return original.hit(key, windowMs);
      },
    }),
    'compares keys without regard to case': (_original, { rateWindows }) => {
      foldKeys(rateWindows);
      return {};
    },
  }),
);
