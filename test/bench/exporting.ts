import { exportedText, type DocumentExporter, type ExportFormat } from '@palimpsest/core';

const TITLE = 'A text of one mebibyte';

/** Exporters, each loaded with its library when it is asked for. */
export const loadExporter: Readonly<Record<ExportFormat, () => Promise<DocumentExporter>>> = {
  docx: async () => new (await import('@palimpsest/docx')).DocxExporter(),
  xlsx: async () => new (await import('@palimpsest/exceljs')).XlsxExporter(),
};

/** All that an export does with the text of a document, with each piece handed to `take`. */
export const exportAll = async (
  exporter: DocumentExporter,
  text: string,
  formatted: boolean,
  take: (piece: Uint8Array) => void = () => {},
): Promise<void> => {
  for await (const piece of exporter.write(exportedText(TITLE, text, formatted))) take(piece);
};
