import type { PageToRender } from '@palimpsest/child-process';
import { fromPath } from 'pdf2pic';

// A script that renders one page into its working folder. pdf2pic starts GraphicsMagick, which starts Ghostscript.
// Standard input stays open while the parent runs. When it closes, this process kills its whole process group.

const endGroup = (): void => {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
};
process.stdin.on('end', endGroup).on('error', endGroup).resume();

const [, , argument = '', saveFilename = ''] = process.argv;
const { file, number, width, height, dpi }: PageToRender = JSON.parse(argument);
const render = fromPath(file, {
  density: dpi,
  width,
  height,
  preserveAspectRatio: false, // the size is exact
  format: 'pgm', // needs no image decoder to read
  compression: 'None',
  savePath: process.cwd(),
  saveFilename,
});
await render(number, { responseType: 'image' });
process.exit(0);
