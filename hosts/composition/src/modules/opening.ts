import type { Clock } from '@palimpsest/core';
import type { ContainerModule } from 'inversify';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** What a module is opened with. `onClose` is run at the end, the last one registered first. */
export interface Opening {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onClose: (close: () => Promise<void> | void) => void;
}

/** Opens an adapter and gives the module that binds its ports. */
export type OpenModule = (opening: Opening) => Promise<ContainerModule>;
