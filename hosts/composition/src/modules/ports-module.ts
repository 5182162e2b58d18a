import type { Ports } from '@palimpsest/core';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { T } from '../port-symbols.ts';

/** Binds each port that is given. */
export const portsModule = (ports: Partial<Ports>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const [name, port] of Object.entries(ports)) {
      const symbol: ServiceIdentifier = T[name as keyof Ports];
      bind<unknown>(symbol).toConstantValue(port);
    }
  });
