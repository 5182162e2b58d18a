import { decodePgm, encodePgm } from '@palimpsest/child-process';
import { expect } from 'chai';
import { assert, integer, property, tuple, uint8Array } from 'fast-check';

describe('PGM', () => {
  const images = tuple(integer({ min: 1, max: 20 }), integer({ min: 1, max: 20 })).chain(([width, height]) =>
    uint8Array({ minLength: width * height, maxLength: width * height }).map((data) => ({ width, height, data })),
  );

  it('decodes every image that it has encoded', () => {
    assert(
      property(images, (image) => {
        const decoded = decodePgm(Buffer.concat(encodePgm(image)));
        expect(decoded).to.deep.equal({ ...image, data: Buffer.from(image.data) });
      }),
    );
  });

  it('skips comments in the header and bytes after the image', () => {
    expect(decodePgm(Buffer.from('P5\n# made by hand\n2 1\n#\n255\nab and more'))).to.deep.equal({
      width: 2,
      height: 1,
      data: Buffer.from('ab'),
    });
  });

  it('returns undefined for other formats and for truncated files', () => {
    for (const text of [
      '',
      'P5',
      'P2\n1 1\n255\n0',
      'P6\n1 1\n255\nabc',
      'P5\n2 2\n255\nabc',
      'P5\n1 1\n65535\nab',
      'P5\n0 5\n255\n',
      'P5\n-1 5\n255\nabc',
    ]) {
      expect(decodePgm(Buffer.from(text)), JSON.stringify(text)).to.equal(undefined);
    }
    assert(property(uint8Array(), (bytes) => void decodePgm(bytes)));
  });
});
