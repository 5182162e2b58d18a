import { describeDocumentExporter } from '@palimpsest/contract-tests';
import { XlsxExporter } from '@palimpsest/exceljs';
import { readXlsx } from './read-xlsx.ts';

describeDocumentExporter('XlsxExporter', async () => ({
  subject: { exporter: new XlsxExporter(), read: readXlsx },
  close: async () => {},
}));
