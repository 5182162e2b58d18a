import { exportedText, type DocumentExporter, type ExportFormat } from '@palimpsest/core';

const TITLE = 'A text of one mebibyte';

/** The exporters. Each is loaded with its library on first use. */
export const loadExporter: Readonly<Record<ExportFormat, () => Promise<DocumentExporter>>> = {
  docx: async () => new (await import('@palimpsest/docx')).DocxExporter(),
  xlsx: async () => new (await import('@palimpsest/exceljs')).XlsxExporter(),
};

/** Exports a text and passes each piece of the file to `take`. */
export const exportAll = async (
  exporter: DocumentExporter,
  text: string,
  formatted: boolean,
  take: (piece: Uint8Array) => void = () => {},
): Promise<void> => {
  for await (const piece of exporter.write(exportedText(TITLE, text, formatted))) take(piece);
};
