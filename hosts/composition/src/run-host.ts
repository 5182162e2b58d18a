import { setTimeout as delay } from 'node:timers/promises';
import { compose, type Composition } from './compose.ts';
import { ConfigError, describeVariables } from './config.ts';
import { cores, readEnvironment } from './environment.ts';

// The last part of the shutdown time. It is reserved for closing connections, child processes and the database.
const CLOSING_MS = 2_000;
const MIN_SHUTDOWN_MS = 3_000;
const FLUSH_MS = 500;

/** A started host. */
export interface RunningHost {
  /** Accepts no new work. Finishes the current work within about `graceMs`, or returns it to the queue. */
  stop(graceMs: number): Promise<void>;
}

/** Runs a step of the start. If it fails, prints one line (one for each invalid variable) and exits with status 1. */
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
 * Runs a host process: reads the configuration, composes the service, calls `start`, and shuts down gracefully on SIGTERM,
 * SIGINT or SIGHUP. A second signal, or the end of SHUTDOWN_TIMEOUT_S, exits at once, because a database that does not
 * answer would block the shutdown forever; the next worker takes over when the leases expire. An uncaught error is logged
 * and ends the process, so that its supervisor restarts it.
 */
export const runHost = async (
  name: string,
  start: (composition: Composition) => Promise<RunningHost>,
): Promise<void> => {
  if (process.argv.includes('--help')) {
    console.log(
      `Palimpsest ${name}: configured by environment variables or a .env file.\n\n${describeVariables(cores)}`,
    );
    return;
  }
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  // Before the host runs, there is no work that it could return to the queue.
  const exitAtOnce = (): never => process.exit(0);
  for (const signal of signals) process.on(signal, exitAtOnce);
  const config = await orExit(readEnvironment);
  const composition = await orExit(() => compose(config));
  const { log } = composition;
  const exitWithError = (error: unknown): void => {
    log.fatal({ err: error }, 'unexpected error, the process exits');
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', exitWithError);
  process.on('unhandledRejection', exitWithError);
  // If the reader of the log closes the pipe (EPIPE), the service must continue.
  process.stdout.on('error', () => {});
  const running = await orExit(() => start(composition));
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'shutting down');
    const exitNow = (): void => {
      log.error('the shutdown timed out: another worker resumes the remaining work');
      process.exit(1);
    };
    setTimeout(exitNow, Math.max(config.shutdownTimeoutMs, MIN_SHUTDOWN_MS)).unref();
    running
      .stop(Math.max(config.shutdownTimeoutMs - CLOSING_MS, 0))
      .then(() => composition.close())
      .then(async () => {
        log.info('shut down');
        // The flush never ends if the reader of the log has stopped reading.
        await Promise.race([new Promise<void>((resolve) => log.flush(() => resolve())), delay(FLUSH_MS)]);
        process.exit(0);
      })
      .catch(exitWithError);
  };
  for (const signal of signals) process.off(signal, exitAtOnce).on(signal, stop);
};
