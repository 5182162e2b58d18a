import type { Actor } from '../../document/visibility.ts';
import { exportedText, exportFilename } from '../../export/export-text.ts';
import type { ExportFormat } from '../../export/exported-text.ts';
import type { Ports } from '../../ports/index.ts';
import { currentText } from '../../revision/ocr-view.ts';
import { findCompleted } from '../documents/find-document.ts';
import { readOcr } from './read-ocr.ts';

/** An exported file. */
export interface ExportedFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: () => AsyncIterable<Uint8Array>; // written while it is read
}

/**
 * An office file with the current text of a document. With `formatted`, it has the title as heading, and pages and
 * paragraphs are kept apart. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED` or `OCR_RESULT_NOT_AVAILABLE`.
 */
export const exportDocument =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'exporters'>) =>
  async (actor: Actor, id: string, format: ExportFormat, formatted: boolean): Promise<ExportedFile> => {
    const document = await findCompleted(ports)(actor, id);
    const text = exportedText(document.title, currentText(await readOcr(ports)(document)), formatted);
    const exporter = ports.exporters.find((each) => each.format === format);
    if (!exporter) throw new TypeError(`No exporter writes ${format}`);
    return {
      filename: exportFilename(document.title, format),
      mediaType: exporter.mediaType,
      bytes: () => exporter.write(text),
    };
  };
