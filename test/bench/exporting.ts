import { exportedText, type DocumentExporter, type ExportFormat } from '@palimpsest/core';

const TITLE = 'A text of one mebibyte';

/** The exporters. Each is loaded with its library on first use. */
export const loadExporter: Readonly<Record<ExportFormat, () => Promise<DocumentExporter>>> = {
  docx: async () => new (await import('@palimpsest/docx')).DocxExporter(),
  xlsx: async () => new (await import('@palimpsest/exceljs')).XlsxExporter(),
};

/** Exports a text and passes each chunk of the file to `onChunk`. */
export const exportAll = async (
  exporter: DocumentExporter,
  text: string,
  formatted: boolean,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Promise<void> => {
  for await (const chunk of exporter.write(exportedText(TITLE, text, formatted))) onChunk(chunk);
};
