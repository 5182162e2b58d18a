/**
 * A point in time: whole microseconds since 1970-01-01T00:00:00Z. A number represents it exactly until the year 2255.
 */
export type Instant = number;

const MICROS_PER_MS = 1000;

/** The instant `ms` milliseconds after `instant` (before it, if `ms` is negative). */
export const plusMs = (instant: Instant, ms: number): Instant => instant + Math.round(ms * MICROS_PER_MS);

/** `instant` as whole milliseconds since the epoch, rounded down. */
export const toEpochMs = (instant: Instant): number => Math.floor(instant / MICROS_PER_MS);

/** ISO 8601 in UTC with microseconds and an explicit offset: `2026-11-21T09:30:12.345678+00:00`. */
export const formatInstant = (instant: Instant): string => {
  const ms = toEpochMs(instant);
  const micros = String(instant - ms * MICROS_PER_MS).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${micros}+00:00`);
};

/**
 * The part of the platform's `AbortSignal` that the core and the ports use, declared here so that the core needs no DOM
 * or Node types. Every `AbortSignal` is a `Cancellation`.
 */
export interface Cancellation {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}

/** Length of `text` in UTF-8 bytes. A lone surrogate counts as the three bytes of its replacement character. */
export const utf8Length = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
};
