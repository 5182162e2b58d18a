import { inspect } from 'node:util';
import { isAppError, type BlobStore } from '@palimpsest/core';
import { expect } from 'chai';
import { collected } from '../kit/collected.ts';
import { untilAnswered, describeFaults, threw, type FaultCase } from '../kit/fault-cases.ts';
import type { Opened, Without } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { keysIn, readAll, textOf, textSource } from './blobs.ts';

const CHUNK_BYTES = 50_000;
const CHUNKS = 40;

/** One chunk of a blob of 2 MB, which is larger than the buffers of a connection. No two chunks are equal. */
const chunkOf = (number: number): Uint8Array => {
  const bytes = new Uint8Array(CHUNK_BYTES);
  const numbers = new Uint32Array(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) numbers[i] = number * CHUNK_BYTES + i;
  return bytes;
};

async function* chunksOfBlob(
  count = CHUNKS,
  afterEach?: (number: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number++) {
    yield chunkOf(number);
    await afterEach?.(number);
  }
}

const wholeBlob = async (): Promise<Buffer> => Buffer.concat(await collected(chunksOfBlob(), (chunk) => chunk));

export const blobFaultCases: readonly FaultCase<BlobStore>[] = [
  {
    title: 'put',
    prepare: (blobs) => blobs.put('kept', textSource('kept')),
    call: (blobs) => blobs.put('added', textSource('added')),
    firstOutcome: 5,
    repeatOutcomes: [threw('TypeError')],
    readState: async (blobs) => [await textOf(blobs, 'kept'), await textOf(blobs, 'added')],
    stateBefore: ['kept', undefined],
    stateAfter: ['kept', 'added'],
  },
  {
    title: 'get',
    prepare: (blobs) => blobs.put('kept', textSource('kept')),
    call: (blobs) => textOf(blobs, 'kept'),
    firstOutcome: 'kept',
    readState: keysIn,
    stateBefore: ['kept'],
    stateAfter: ['kept'],
  },
  {
    title: 'stat',
    prepare: (blobs) => blobs.put('kept', textSource('kept')),
    call: async (blobs) => (await blobs.stat('kept'))?.byteSize,
    firstOutcome: 4,
    readState: keysIn,
    stateBefore: ['kept'],
    stateAfter: ['kept'],
  },
  {
    title: 'list',
    prepare: (blobs) => blobs.put('kept', textSource('kept')),
    call: keysIn,
    firstOutcome: ['kept'],
    readState: (blobs) => textOf(blobs, 'kept'),
    stateBefore: 'kept',
    stateAfter: 'kept',
  },
  {
    title: 'delete',
    prepare: async (blobs) => {
      await blobs.put('kept', textSource('kept'));
      await blobs.put('gone', textSource('gone'));
    },
    call: (blobs) => blobs.delete('gone'),
    firstOutcome: undefined,
    readState: async (blobs) => [await textOf(blobs, 'kept'), await textOf(blobs, 'gone')],
    stateBefore: ['kept', 'gone'],
    stateAfter: ['kept', undefined],
  },
  {
    title: 'check',
    call: (blobs) => blobs.check(),
    firstOutcome: undefined,
    readState: keysIn,
    stateBefore: [],
    stateAfter: [],
  },
];

/** Tests the calls of a blob store when the connection fails, also in the middle of a transfer. */
export const describeBlobFaults = (opened: () => Opened<BlobStore>, without: Without): void => {
  describeFaults(
    opened,
    without,
    (blobs) => blobs,
    blobFaultCases,
    (faults) => {
      describeWithTimeout('a blob in transfer', 120_000, () => {
        it('is stored completely or not at all if the connection breaks during put', async () => {
          const { subject: blobs } = opened();
          const cutting = chunksOfBlob(CHUNKS, async (number) => {
            if (number === CHUNKS / 2) await faults().dropConnections();
          });
          const stored = await blobs.put('long', cutting).catch((error: unknown) => error);
          await faults().restore();
          if (typeof stored !== 'number') {
            expect(isAppError(stored, 'SERVICE_UNAVAILABLE'), inspect(stored)).to.equal(true);
            if ((await untilAnswered(() => blobs.stat('long'))) === undefined) {
              expect(await untilAnswered(() => keysIn(blobs))).to.deep.equal([]);
              expect(await untilAnswered(() => blobs.put('long', chunksOfBlob()))).to.equal(CHUNK_BYTES * CHUNKS);
            }
          }
          expect((await readAll(await blobs.get('long')))?.equals(await wholeBlob()), 'the blob is whole').to.equal(
            true,
          );
          expect(await keysIn(blobs)).to.deep.equal(['long']);
        });

        it('throws the error of the source, not an error of the connection, if the source fails', async () => {
          const fault = new Error('the source broke');
          const { subject: blobs } = opened();
          const breaking = chunksOfBlob(CHUNKS, async (number) => {
            if (number === 2) throw fault;
          });
          expect(await blobs.put('long', breaking).catch((error: unknown) => error)).to.equal(fault);
          expect(await blobs.stat('long')).to.equal(undefined);
        });

        it('is read completely, or the read throws SERVICE_UNAVAILABLE, if the connection breaks during get', async () => {
          const { subject: blobs } = opened();
          await blobs.put('long', chunksOfBlob());
          const read: Uint8Array[] = [];
          let problem: unknown;
          try {
            for await (const chunk of (await blobs.get('long')) ?? []) {
              if (read.length === 0) await faults().dropConnections();
              read.push(chunk.slice());
            }
          } catch (error) {
            problem = error;
          }
          await faults().restore();
          const whole = await wholeBlob();
          const got = Buffer.concat(read);
          if (problem === undefined) expect(got.length, 'bytes read').to.equal(whole.length);
          else expect(isAppError(problem, 'SERVICE_UNAVAILABLE'), inspect(problem)).to.equal(true);
          expect(got.equals(whole.subarray(0, got.length)), 'the bytes are those of the blob').to.equal(true);
          expect(await untilAnswered(async () => (await blobs.stat('long'))?.byteSize)).to.equal(whole.length);
        });
      });
    },
  );
};
