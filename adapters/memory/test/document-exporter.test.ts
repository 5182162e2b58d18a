import { describeDocumentExporter, type ReadExport } from '@palimpsest/contract-tests';
import { exportFormats } from '@palimpsest/core';
import { MemoryDocumentExporter, readToyExport } from '@palimpsest/memory';

const read = (file: Uint8Array): ReadExport => {
  const { heading, lines } = readToyExport(file);
  return {
    heading,
    lines: lines.map(({ text, page }) => (heading === undefined ? { text } : { text, page })),
    entries: [],
    active: [],
  };
};

for (const format of exportFormats) {
  describeDocumentExporter(`MemoryDocumentExporter of ${format}`, async () => ({
    subject: { exporter: new MemoryDocumentExporter(format), read },
    close: async () => {},
  }));
}
