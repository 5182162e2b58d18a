import type { FaultLog } from '@palimpsest/core';
import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Logs JSON lines to standard output, or readable lines if that is a terminal. */
export const openLog = async (level: string): Promise<Logger> => {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  const { PinoPretty } = await import('pino-pretty');
  return pino(options, PinoPretty({ colorize: true, translateTime: 'HH:MM:ss', sync: true }));
};

/** Logs faults that the core handled as warnings. */
export class PinoFaultLog implements FaultLog {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  report(error: unknown, doing: string): void {
    try {
      this.#log.warn({ err: error }, doing);
    } catch (unreadable) {
      // A thrown value may throw again when the logger reads its properties.
      this.#log.warn({ err: unreadable }, doing);
    }
  }
}
