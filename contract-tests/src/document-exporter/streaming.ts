import { exportedText, type DocumentExporter } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually, rejectionOf } from '../kit/expectations.ts';
import { watchedText } from './samples.ts';

const LINES = 1_500_000; // far more than an exporter may take before it is read
const MEBIBYTE = 1024 * 1024;
const MAX_STRETCH_MS = 500; // of work in one go, as CPU time

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** The longest stretch, in milliseconds of CPU time, for which nothing else had its turn while `action` ran. */
const longestStretch = async (action: () => Promise<void>): Promise<number> => {
  let longest = 0;
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const before = process.cpuUsage();
      await turns(1);
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  };
  const watching = watch();
  await action().finally(() => over.abort());
  await watching;
  return longest;
};

/** What every exporter promises about the time and memory that it takes, and about readers that go away. */
export const describeExportFlow = (exporter: () => DocumentExporter): void => {
  for (const heading of ['Title', undefined]) {
    describe(`of a text ${heading === undefined ? 'alone' : 'under its title'}`, () => {
      it('gives pieces while it takes lines, and takes none while nobody reads', async () => {
        const text = watchedText(heading, LINES);
        const pieces = exporter().write(text)[Symbol.asyncIterator]();
        let bytes = 0;
        while (bytes < MEBIBYTE / 4) {
          const piece = await pieces.next();
          expect(piece.done, 'the end').not.to.equal(true);
          expect(piece.value.byteLength, 'the size of a piece').to.be.within(1, MEBIBYTE);
          bytes += piece.value.byteLength;
        }
        expect(text.taken(), 'lines taken').to.be.below(LINES / 2);
        let before = -1;
        await eventually('no more lines are taken', async () => {
          const settled = text.taken() === before;
          before = text.taken();
          await new Promise((resolve) => setTimeout(resolve, 50));
          return settled && text.taken() === before;
        });
        expect(text.taken(), 'lines taken ahead').to.be.below(LINES / 2);
        await pieces.return?.();
      });

      it('lets go of the text when its reader stops, however early', async () => {
        for (const count of [0, 1, 2, 5, 20]) {
          const text = watchedText(heading, LINES);
          const pieces = exporter().write(text)[Symbol.asyncIterator]();
          for (let i = 0; i < count; i++) await pieces.next();
          await pieces.return?.();
          await eventually(`the text is let go of after ${count} pieces`, () => text.isClosed(), 5000);
          const taken = text.taken();
          await turns(50);
          expect(text.taken()).to.equal(taken);
          expect((await pieces.next()).done).to.equal(true);
        }
      });

      it('passes on what goes wrong while lines are taken', async () => {
        for (const count of [0, 10, 20_000]) {
          const fault = new Error('the text is gone');
          const { lines } = watchedText(heading, count);
          const failing = function* () {
            yield* lines();
            throw fault;
          };
          const reading = async (): Promise<void> => {
            for await (const piece of exporter().write({ heading, lines: failing }))
              expect(piece).to.be.instanceOf(Uint8Array);
          };
          expect(await rejectionOf(reading)).to.equal(fault);
        }
      });

      it('lets others have their turn in between, even for lines without letters', async () => {
        for (const text of ['\n'.repeat(3 * MEBIBYTE), 'é&'.repeat(MEBIBYTE)]) {
          const lines = exportedText('Title', text, heading !== undefined);
          const stretch = await longestStretch(async () => {
            for await (const piece of exporter().write(lines)) expect(piece.byteLength).to.be.above(0);
          });
          expect(stretch, 'ms of CPU time in one go').to.be.below(MAX_STRETCH_MS);
        }
      });
    });
  }
};
