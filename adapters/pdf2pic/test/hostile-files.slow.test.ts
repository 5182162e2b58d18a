import { findProgram } from '@palimpsest/child-process';
import { openPdf2pic } from '@palimpsest/pdf2pic';
import { describeHostileFiles } from '../../poppler/test/hostile-files.ts';

const isInstalled = (await findProgram('gm')) !== undefined && (await findProgram('gs')) !== undefined;

describeHostileFiles('pdf2pic', isInstalled, ['gen', 'pypdf', 'qpdf-fuzz'], () => openPdf2pic({ children: 1 }));
