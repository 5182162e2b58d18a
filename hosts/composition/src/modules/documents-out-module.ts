import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

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
  return new ContainerModule(({ bind }) => {
    bind(T.exporters).toConstantValue([new DocxExporter(), new XlsxExporter()]);
    bind(T.searchablePdfs).toConstantValue(pdfLib.searchablePdfs);
    bind(T.wordDiff).toConstantValue(new JsdiffWordDiff());
  });
};
