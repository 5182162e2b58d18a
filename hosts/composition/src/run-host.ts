import { setTimeout as delay } from 'node:timers/promises';
import { compose, type Composition } from './compose.ts';
import { ConfigError, describeVariables } from './config.ts';
import { cores, readEnvironment } from './environment.ts';

// Of the time to stop, what is kept for closing connections, children and the database; and what closing gets at least.
const CLOSING_MS = 2_000;
const LEAST_TO_STOP_MS = 3_000;
const FLUSH_MS = 500;

/** What a host has running. */
export interface RunningHost {
  /** Ends within about `graceMs`: no new work, what is in hand is finished or handed back. */
  stop(graceMs: number): Promise<void>;
}

/** Does `task` of the start; what goes wrong ends the process with one line, or one for each variable at fault. */
const orExit = async <T>(task: () => T | Promise<T>): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    const lines = error instanceof ConfigError ? error.faults : [`Palimpsest cannot start: ${message}${cause}`];
    for (const line of lines) console.error(line);
    process.exit(1);
  }
};

/**
 * The life of a host process: configuration, composition, `start`, and an orderly end on SIGTERM, SIGINT or SIGHUP. A
 * second signal ends it at once, as does the end of the time to stop, for a database that says nothing could be waited for
 * without end: what was not handed back is found when its lease has run out. An error that nobody caught is logged and ends the process, for its supervisor to start
 * it anew.
 */
export const runHost = async (
  name: string,
  start: (composition: Composition) => Promise<RunningHost>,
): Promise<void> => {
  if (process.argv.includes('--help')) {
    console.log(`Palimpsest ${name}: set by environment variables or a .env file.\n\n${describeVariables(cores)}`);
    return;
  }
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  // Nothing is in hand before the host runs.
  const leave = (): never => process.exit(0);
  for (const signal of signals) process.on(signal, leave);
  const config = await orExit(readEnvironment);
  const composition = await orExit(() => compose(config));
  const { log } = composition;
  const die = (error: unknown): void => {
    log.fatal({ err: error }, 'unexpected error; the process ends');
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  // A log reader that goes away must not take the service with it.
  process.stdout.on('error', () => {});
  const running = await orExit(() => start(composition));
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    const giveUp = (): void => {
      log.error('not everything could be ended in time; the rest is left to the next start');
      process.exit(1);
    };
    setTimeout(giveUp, Math.max(config.shutdownTimeoutMs, LEAST_TO_STOP_MS)).unref();
    running
      .stop(Math.max(config.shutdownTimeoutMs - CLOSING_MS, 0))
      .then(() => composition.close())
      .then(async () => {
        log.info('stopped');
        // Whoever reads the log may have stopped reading.
        await Promise.race([new Promise<void>((resolve) => log.flush(() => resolve())), delay(FLUSH_MS)]);
        process.exit(0);
      })
      .catch(die);
  };
  for (const signal of signals) process.off(signal, leave).on(signal, stop);
};
