import { findProgram } from '@palimpsest/child-process';
import { openPoppler } from '@palimpsest/poppler';
import { describeHostileFiles } from './hostile-files.ts';

const folders = ['gen', 'pdfjs', 'pdf-payloads', 'ocrmypdf', 'pillow', 'pypdf', 'qpdf-fuzz', 'qpdf-qtest', 'verapdf'];

describeHostileFiles('poppler', (await findProgram('pdftoppm')) !== undefined, folders, () =>
  openPoppler({ children: 1 }),
);
