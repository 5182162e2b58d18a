import { hash } from 'node:crypto';
import { plusMs, type Clock, type CountedWindow } from '@palimpsest/core';

const LONGEST_WINDOW_MS = 25 * 3_600_000;

/** Throws `TypeError` unless `windowMs` is from 1 ms to 25 hours. */
export const checkWindowMs = (windowMs: number): void => {
  if (!(windowMs >= 1 && windowMs <= LONGEST_WINDOW_MS))
    throw new TypeError(`A window lasts from 1 ms to 25 hours, not ${windowMs} ms`);
};

/**
 * The key under which a counter is stored: a hash, because a key may contain an e-mail address, and because a database
 * may truncate or normalize unusual texts.
 */
export const storedKey = (key: string): string => hash('sha256', Buffer.from(key, 'utf16le'), 'base64url');

/** The time of `clock` in whole milliseconds since the epoch, which is the unit of stored windows. */
export const nowMsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);

/** A stored window in the units of the port. */
export const countedWindow = (count: number, endsAtMs: number): CountedWindow => ({
  count,
  endsAt: plusMs(0, endsAtMs),
});
