import { exportedText, type DocumentExporter } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf } from '../kit/expectations.ts';
import { watchedText } from './samples.ts';

const LINES = 1_500_000; // far more than an exporter may read ahead
const MEBIBYTE = 1024 * 1024;

const eventLoopTurns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Tests streaming: back-pressure, readers that stop early, errors of the source, and that the event loop is not blocked. */
export const describeStreaming = (exporter: () => DocumentExporter): void => {
  for (const heading of ['Title', undefined]) {
    describe(heading === undefined ? 'without a title' : 'with a title', () => {
      it('writes the first part of the file before it has read the whole text, and stops reading if the file is not read', async () => {
        const text = watchedText(heading, LINES);
        const chunks = exporter().write(text)[Symbol.asyncIterator]();
        let bytes = 0;
        while (bytes < MEBIBYTE / 4) {
          const chunk = await chunks.next();
          expect(chunk.done, 'end of the file').not.to.equal(true);
          expect(chunk.value.byteLength, 'size of a chunk').to.be.within(1, MEBIBYTE);
          bytes += chunk.value.byteLength;
        }
        // An exporter that ignores back-pressure would read the whole text during this loop.
        for (let before = -1; before !== text.linesRead();) {
          before = text.linesRead();
          await eventLoopTurns(50);
        }
        expect(text.linesRead(), 'lines read').to.be.below(LINES / 2);
        await chunks.return?.();
      });

      it('closes the text when the reader of the file stops, and reads no more lines', async () => {
        for (const count of [0, 1, 5, 20]) {
          const text = watchedText(heading, LINES);
          const chunks = exporter().write(text)[Symbol.asyncIterator]();
          for (let i = 0; i < count; i++) await chunks.next();
          await chunks.return?.();
          await text.closed();
          const linesRead = text.linesRead();
          await eventLoopTurns(50);
          expect(text.linesRead()).to.equal(linesRead);
          expect((await chunks.next()).done).to.equal(true);
        }
      });

      it('throws the error of the text to the reader of the file', async () => {
        for (const count of [0, 10, 20_000]) {
          const fault = new Error('the text cannot be read');
          const { lines } = watchedText(heading, count);
          const failing = function* () {
            yield* lines();
            throw fault;
          };
          const reading = async (): Promise<void> => {
            for await (const chunk of exporter().write({ heading, lines: failing }))
              expect(chunk).to.be.instanceOf(Uint8Array);
          };
          expect(await rejectionOf(reading)).to.equal(fault);
        }
      });

      it('does not block the event loop while it writes a long text, even one of empty lines', async () => {
        for (const text of ['\n'.repeat(MEBIBYTE / 4), `${'é&'.repeat(50)}\n`.repeat(4_000)]) {
          let [turns, turnsBeforeLastLine, isDone] = [0, 0, false];
          const turn = (): void => {
            turns++;
            if (!isDone) setImmediate(turn);
          };
          setImmediate(turn);
          const lines = function* () {
            for (const line of exportedText('Title', text, heading !== undefined).lines()) {
              turnsBeforeLastLine = turns;
              yield line;
            }
          };
          for await (const chunk of exporter().write({ heading, lines })) expect(chunk.byteLength).to.be.above(0);
          isDone = true;
          expect(turnsBeforeLastLine, 'turns of the event loop while the text is read').to.be.above(5);
        }
      });
    });
  }
};
