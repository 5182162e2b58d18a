import { findProgram } from '@palimpsest/child-process';
import { openPdf2pic } from '@palimpsest/pdf2pic';
import { describeSameSizes } from '../../poppler/test/same-sizes.ts';

const isInstalled = (await findProgram('gm')) !== undefined && (await findProgram('gs')) !== undefined;

describeSameSizes('pdf2pic', isInstalled, () => openPdf2pic({ children: 1 }));
