import 'reflect-metadata';
import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { Container } from 'inversify';
import { portsModule } from '../src/modules/ports-module.ts';
import { resolvePorts } from '../src/port-identifiers.ts';

describe('resolvePorts', () => {
  it('returns every port that the modules bound', () => {
    const ports = openMemory();
    const container = new Container();
    container.load(portsModule(ports));
    expect(resolvePorts(container)).to.deep.equal({ ...ports });
  });

  it('throws an error that names the port if no module bound it', () => {
    const { clock: _, ...others } = openMemory();
    const container = new Container();
    container.load(portsModule(others));
    expect(() => resolvePorts(container)).to.throw(/Clock/);
  });
});
