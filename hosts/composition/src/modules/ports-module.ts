import type { Ports } from '@palimpsest/core';
import { ContainerModule } from 'inversify';
import { portIdentifiers } from '../port-identifiers.ts';

/** Binds the given ports. */
export const portsModule = (ports: Partial<Ports>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const bindPort = <K extends keyof Ports>(name: K, port: Ports[K] | undefined): void => {
      if (port !== undefined) bind(portIdentifiers[name]).toConstantValue(port);
    };
    for (const name of Object.keys(ports) as (keyof Ports)[]) bindPort(name, ports[name]);
  });
