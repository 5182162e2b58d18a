import { receiveOrDiscard, type Ports, type ReceivedFile } from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { expect } from 'chai';
import { all, aWorld, instead } from '../../world.ts';

async function* fileBytes(): AsyncGenerator<Uint8Array> {
  yield toyFile({ pages: [{ text: 'x' }] });
}

const blobKeys = async ({ blobs }: Ports): Promise<readonly string[]> =>
  (await all(blobs.list())).map(({ key }) => key);

describe('receiveOrDiscard', () => {
  const refused = new Error('another part of the request is refused');

  it('keeps the file if the work succeeds', async () => {
    const { ports } = aWorld();
    const file = await receiveOrDiscard(ports)((receive) => receive(fileBytes()));
    expect(await blobKeys(ports)).to.deep.equal([file.blobKey]);
  });

  it('discards the file and throws the error if the work throws', async () => {
    const { ports } = aWorld();
    const work = receiveOrDiscard(ports)(async (receive) => {
      await receive(fileBytes());
      throw refused;
    });
    expect(await work.catch((error: unknown) => error)).to.equal(refused);
    expect(await blobKeys(ports)).to.deep.equal([]);
  });

  it('discards a file that is received after the work threw', async () => {
    const { ports } = aWorld();
    const rest = Promise.withResolvers<void>();
    let receiving: Promise<ReceivedFile> | undefined;
    const work = receiveOrDiscard(ports)(async (receive) => {
      receiving = receive(
        (async function* () {
          await rest.promise;
          yield* fileBytes();
        })(),
      );
      throw refused;
    });
    expect(await work.catch((error: unknown) => error)).to.equal(refused);
    rest.resolve();
    await receiving;
    expect(await blobKeys(ports)).to.deep.equal([]);
  });

  it('throws the error of the work and reports the other one if the file cannot be discarded', async () => {
    const { ports, memory } = aWorld();
    const blobs = instead(ports.blobs, { delete: () => Promise.reject(new Error('no disk')) });
    const work = receiveOrDiscard({ ...ports, blobs })(async (receive) => {
      await receive(fileBytes());
      throw refused;
    });
    expect(await work.catch((error: unknown) => error)).to.equal(refused);
    expect(memory.faults.reports.map(({ error }) => String(error))).to.deep.equal(['Error: no disk']);
  });
});
