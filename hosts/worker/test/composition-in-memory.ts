import { createUseCases, openLog, readConfig, type Composition, type UseCases } from '@palimpsest/composition';
import { receiveFile, uploadDocument } from '@palimpsest/core';
import { toyFile, type MemoryPorts, type ToyContent } from '@palimpsest/memory';

/** A composition on ports in memory, with some use cases replaced. */
export const compositionOn = async (memory: MemoryPorts, changed: Partial<UseCases> = {}): Promise<Composition> => {
  const config = readConfig({}, 2);
  return {
    config,
    log: await openLog('silent'),
    ports: memory,
    useCases: { ...createUseCases(memory, config), ...changed },
    close: async () => {},
  };
};

/** Uploads a toy file and returns the id of its document. */
export const upload = async (
  memory: MemoryPorts,
  content: ToyContent,
  given: { readonly title?: string } = {},
): Promise<string> => {
  const bytes = (async function* () {
    yield toyFile(content);
  })();
  const file = await receiveFile(memory)(bytes);
  return (await uploadDocument(memory)({ actor: { accountId: 'ada' }, file, filename: 'a.pdf', ...given })).id;
};
