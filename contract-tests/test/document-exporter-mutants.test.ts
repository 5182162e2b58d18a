import { MemoryDocumentExporter, readToyExport } from '@palimpsest/memory';
import { expect } from 'chai';
import { describeDocumentExporter, type ReadableExporter, type ReadExport } from '../src/document-exporter/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import type { Open } from '../src/kit/harness.ts';
import { documentExporterMutants } from '../src/mutants/document-exporter-mutants.ts';

const read = (file: Uint8Array): ReadExport => {
  const { heading, lines } = readToyExport(file);
  return {
    heading,
    lines: lines.map(({ text, page }) => (heading === undefined ? { text } : { text, page })),
    entries: [],
    active: [],
  };
};

const openSound: Open<ReadableExporter> = async () => ({
  subject: { exporter: new MemoryDocumentExporter('xlsx'), read },
  close: async () => {},
});

describe('the contract of DocumentExporter', function () {
  this.timeout(60_000);
  for (const [flaw, mutant] of Object.entries(documentExporterMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(
        await expectCaught(() => describeDocumentExporter('Mutant', mutant(openSound)), {
          bail: true,
          timeoutMs: 20_000,
        }),
      ).to.not.be.empty;
    });
  }
});
