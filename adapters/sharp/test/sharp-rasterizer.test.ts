import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { aPng, greyAt, markedImage, neverAborted } from '@palimpsest/contract-tests/internal';
import { openSharp } from '@palimpsest/sharp';
import type { SharpAdapters } from '@palimpsest/sharp';

const LIMITS = { maxPixels: 1_000_000, timeoutMs: 30_000 };

describe('SharpRasterizer', () => {
  let adapters: SharpAdapters;
  before(() => {
    adapters = openSharp({ children: 1 });
  });
  after(() => adapters.close());

  const render = async (file: Uint8Array) =>
    (await adapters.rasterizer.open(file, LIMITS, neverAborted())).render(1, LIMITS, neverAborted());

  it('renders white text on a transparent background on black, because on white it would be invisible', async () => {
    // A black mark on a transparent background stays black on white.
    const file = Buffer.from(aPng(markedImage(100, 60, [8, 4, 22, 14]), 'transparent'));
    expect(greyAt(await render(file), 15, 9)).to.be.below(20);
    const white = aPng(
      { ...markedImage(100, 60), data: new Uint8Array(6000).map((_, i) => (i % 100 < 50 ? 255 : 0)) },
      'white on transparent',
    );
    const image = await render(white);
    expect(Math.abs(greyAt(image, 25, 30) - greyAt(image, 75, 30))).to.be.above(200);
  });

  it('refuses a file in another image format: SVG, GIF, PGM', async () => {
    const files = [
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/hostname"/></svg>',
      'GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u00ff\u00ff\u00ff\u0000\u0000\u0000,\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0002\u0002D\u0001\u0000;',
      'P5 2 2 255\nabcd',
    ];
    for (const file of files) {
      const error: unknown = await render(Buffer.from(file, 'latin1')).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'DOCUMENT_DAMAGED' });
    }
  });

  it('decodes or refuses a PNG with a compressed text chunk of 100 MB, but does not crash', async () => {
    const png = Buffer.from(aPng(markedImage(100, 60, [8, 4, 22, 14])));
    const bomb = deflateSync(Buffer.alloc(100_000_000));
    const chunk = Buffer.alloc(12 + 9 + bomb.length);
    chunk.writeUInt32BE(9 + bomb.length, 0);
    chunk.write('zTXtComment\0\0', 4, 'latin1');
    bomb.copy(chunk, 4 + 13);
    const file = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
    const outcome: unknown = await render(file).catch((thrown: unknown) => thrown);
    expect(outcome).to.satisfy((it: object) => 'width' in it || ('code' in it && it.code === 'DOCUMENT_DAMAGED'));
    expect((await render(Buffer.from(aPng(markedImage(100, 60))))).width).to.equal(100);
  });
});
