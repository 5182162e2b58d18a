import { describeDocumentExporter } from '@palimpsest/contract-tests';
import { DocxExporter } from '@palimpsest/docx';
import { readDocx } from './read-docx.ts';

describeDocumentExporter('DocxExporter', async () => ({
  subject: { exporter: new DocxExporter(), read: readDocx },
  close: async () => {},
}));
