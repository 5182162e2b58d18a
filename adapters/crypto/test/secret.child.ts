// Loads or creates a secret at the same time as other processes, and prints it.
import { loadOrCreateSecret } from '@palimpsest/crypto';
import { waitForParent } from '../../../test/processes/wait-for-parent.ts';

const [file = ''] = process.argv.slice(2);
await waitForParent();
console.log(Buffer.from(await loadOrCreateSecret(file)).toString('hex'));
