import { compose, type Composition } from './compose.ts';
import { ConfigError, describeVariables } from './config.ts';
import { cores, readEnvironment } from './environment.ts';

// Of the time to stop, what is kept for closing connections, children and the database.
const CLOSING_MS = 2_000;

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
 * second signal ends it at once. An error that nobody caught is logged and ends the process, for its supervisor to start
 * it anew.
 */
export const runHost = async (name: string, start: (composition: Composition) => Promise<RunningHost>): Promise<void> => {
  if (process.argv.includes('--help')) {
    console.log(`Palimpsest ${name}: set by environment variables or a .env file.\n\n${describeVariables(cores)}`);
    return;
  }
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
    running
      .stop(Math.max(config.shutdownTimeoutMs - CLOSING_MS, 0))
      .then(() => composition.close())
      .then(() => {
        log.info('stopped');
        log.flush();
        process.exit(0);
      })
      .catch(die);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
};
