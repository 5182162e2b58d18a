import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** What documents are taken away as, Word and Excel files and searchable PDFs, and the comparison of their texts. */
export const openDocumentsOutModule: OpenModule = async ({ config, onClose }) => {
  const [{ DocxExporter }, { XlsxExporter }, { openPdfLib }, { JsdiffWordDiff }] = await Promise.all([
    import('@palimpsest/docx'),
    import('@palimpsest/exceljs'),
    import('@palimpsest/pdf-lib'),
    import('@palimpsest/diff'),
  ]);
  const pdfLib = openPdfLib({ children: config.workerConcurrency });
  onClose(() => pdfLib.close());
  return portsModule({
    exporters: [new DocxExporter(), new XlsxExporter()],
    searchablePdfs: pdfLib.searchablePdfs,
    wordDiff: new JsdiffWordDiff(),
  });
};
