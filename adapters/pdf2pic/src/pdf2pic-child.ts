import { fromPath } from 'pdf2pic';
import type { PageOrder } from './page-order.ts';
import { PAGE_FILE } from './page-order.ts';

// Renders one page into its working folder, by pdf2pic, which starts GraphicsMagick, which starts Ghostscript. Its input
// stays open while its parent lives: without a parent it ends, and with it the group.

const endGroup = (): void => {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
};
process.stdin.on('end', endGroup).on('error', endGroup).resume();

const [, , order = ''] = process.argv;
const { file, number, width, height, dpi }: PageOrder = JSON.parse(order);
const render = fromPath(file, {
  density: dpi,
  width,
  height,
  preserveAspectRatio: false, // the size is exact
  format: 'pgm', // read without a decoder
  compression: 'None',
  savePath: process.cwd(),
  saveFilename: PAGE_FILE,
});
await render(number, { responseType: 'image' });
process.exit(0);
