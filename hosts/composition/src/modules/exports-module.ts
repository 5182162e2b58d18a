import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Exports (Word, Excel, searchable PDF) and the word diff of revisions. */
export const openExportsModule: OpenModule = async ({ config, onClose }) => {
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
