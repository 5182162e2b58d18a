import { findProgram } from '@palimpsest/child-process';
import { openPoppler } from '@palimpsest/poppler';
import { describeSameSizes } from './same-sizes.ts';

describeSameSizes('poppler', (await findProgram('pdftoppm')) !== undefined, () => openPoppler({ children: 1 }));
