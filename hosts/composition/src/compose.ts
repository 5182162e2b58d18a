import 'reflect-metadata';
import type { Ports } from '@palimpsest/core';
import { Container } from 'inversify';
import { createUseCases, type UseCases } from './use-cases.ts';
import type { Config } from './config.ts';
import { openLog, PinoFaultLog, type Logger } from './log.ts';
import { openCryptoModule } from './modules/crypto-module.ts';
import { openExportsModule } from './modules/exports-module.ts';
import { openGcsModule } from './modules/gcs-module.ts';
import { openLocalStorageModule } from './modules/local-storage-module.ts';
import { openMailModule } from './modules/mail-module.ts';
import { openMongodbModule } from './modules/mongodb-module.ts';
import type { OpenModule, Opening } from './modules/opening.ts';
import { openRecognitionModule } from './modules/recognition-module.ts';
import { openSqliteModule } from './modules/sqlite-module.ts';
import { openSqliteRateLimitModule } from './modules/sqlite-rate-limit-module.ts';
import { portIdentifiers, resolvePorts } from './port-identifiers.ts';

/** The composed service: everything that a host needs to run. */
export interface Composition {
  readonly config: Config;
  readonly log: Logger;
  readonly ports: Ports;
  readonly useCases: UseCases;
  /** Closes all adapters, in the reverse order of opening. */
  close(): Promise<void>;
}

const databaseModules = (database: Config['database']): readonly OpenModule[] =>
  database.kind === 'mongodb'
    ? [openMongodbModule(database)]
    : [openSqliteModule(database), openSqliteRateLimitModule(database)];

const blobStoreModule = (blobStore: Config['blobStore']): OpenModule =>
  blobStore.kind === 'gs' ? openGcsModule(blobStore) : openLocalStorageModule(blobStore);

const modulesFor = ({ database, blobStore }: Config): readonly OpenModule[] => [
  openCryptoModule,
  ...databaseModules(database),
  blobStoreModule(blobStore),
  openMailModule,
  openRecognitionModule,
  openExportsModule,
];

const closeAll = async (closers: readonly (() => Promise<void> | void)[], log: Logger): Promise<void> => {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'closing an adapter failed');
    }
  }
};

/**
 * Opens the adapters that the configuration names and creates the use cases. If an adapter cannot be opened, closes the
 * others and throws the error. The caller closes the composition.
 */
export const compose = async (config: Config, givenLog?: Logger): Promise<Composition> => {
  const log = givenLog ?? (await openLog(config.logLevel));
  const closers: (() => Promise<void> | void)[] = [];
  const { SystemClock, SystemTimer } = await import('@palimpsest/crypto');
  const clock = new SystemClock();
  const opening: Opening = { config, log, clock, onClose: (close) => closers.push(close) };
  const container = new Container();
  container.bind(portIdentifiers.clock).toConstantValue(clock);
  container.bind(portIdentifiers.timer).toConstantValue(new SystemTimer());
  container.bind(portIdentifiers.faults).toConstantValue(new PinoFaultLog(log));
  try {
    for (const open of modulesFor(config)) container.load(await open(opening));
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
  const ports = resolvePorts(container);
  return { config, log, ports, useCases: createUseCases(ports, config), close: () => closeAll(closers, log) };
};
