import type { Clock } from '@palimpsest/core';
import type { ContainerModule } from 'inversify';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** The input of a module. `onClose` registers a cleanup; cleanups run in reverse order when the service closes. */
export interface Opening {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onClose: (close: () => Promise<void> | void) => void;
}

/** Opens an adapter and returns the container module that binds its ports. */
export type OpenModule = (opening: Opening) => Promise<ContainerModule>;
