import { createHash } from 'node:crypto';
import { AppError, inspectUpload, isAppError, MAX_UPLOAD_BYTES, SNIFF_BYTES, sniffMediaType } from '@palimpsest/core';
import { expect } from 'chai';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const JPEG = latin1('\xff\xd8\xff\xe0JFIF');
const PNG = latin1('\x89PNG\r\n\x1a\n');

describe('sniffMediaType', () => {
  const cases: readonly (readonly [name: string, head: Uint8Array, type: string | undefined])[] = [
    ['a JPEG', JPEG, 'image/jpeg'],
    ['a PNG', PNG, 'image/png'],
    ['a PDF', latin1('%PDF-1.7\n'), 'application/pdf'],
    ['a PDF after a byte order mark', latin1('\xef\xbb\xbf%PDF-1.4'), 'application/pdf'],
    ['a PDF after white space', latin1('\r\n\t \f\0%PDF-1.4'), 'application/pdf'],
    ['a PDF after a mark and white space', latin1('\xef\xbb\xbf\n%PDF-1.4'), 'application/pdf'],
    ['a PDF after 1,019 blanks', latin1(`${' '.repeat(1019)}%PDF-`), 'application/pdf'],
    ['a PDF after 5,000 blanks', latin1(`${' '.repeat(5000)}%PDF-`), undefined],
    ['nothing', new Uint8Array(), undefined],
    ['blanks alone', latin1(' '.repeat(2000)), undefined],
    ['a byte order mark alone', latin1('\xef\xbb\xbf'), undefined],
    ['the beginning of a JPEG', JPEG.subarray(0, 2), undefined],
    ['the beginning of a PNG', PNG.subarray(0, 7), undefined],
    ['the beginning of a PDF', latin1('%PDF'), undefined],
    ['PostScript with a PDF header in a comment', latin1('%!PS-Adobe-3.0\n%%%PDF-1.4'), undefined],
    ['HTML with a PDF header', latin1('<html>%PDF-1.4'), undefined],
    ['a ZIP with a PDF inside', latin1('PK\x03\x04%PDF-1.4'), undefined],
    ['a GIF followed by a PDF', latin1('GIF89a%PDF-'), undefined],
    ['a text that names a file', latin1('/etc/passwd\n'), undefined],
    ['a TIFF', latin1('II*\0'), undefined],
    ['an SVG', latin1('<svg xmlns="x"/>'), undefined],
    ['a PDF header in lower case', latin1('%pdf-1.4'), undefined],
    ['a JPEG after a blank', latin1(' \xff\xd8\xff'), undefined],
    ['a JPEG followed by a PDF', Buffer.concat([JPEG, latin1('%PDF-1.4')]), 'image/jpeg'],
    ['a PNG followed by a JPEG', Buffer.concat([PNG, JPEG]), 'image/png'],
    ['a PDF followed by a PNG', Buffer.concat([latin1('%PDF-1.4\n'), PNG]), 'application/pdf'],
  ];
  for (const [name, head, type] of cases) {
    it(`returns ${type ?? 'undefined'} for ${name}`, () => {
      expect(sniffMediaType(head)).to.equal(type);
    });
  }
});

const aChecksum = () => {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest('hex') };
};

async function* chunked(bytes: Uint8Array, ...cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const borders = [0, ...cuts, bytes.length];
  for (const [i, border] of borders.entries()) if (i > 0) yield bytes.subarray(borders[i - 1], border);
}

const inspect = async (source: AsyncIterable<Uint8Array>) => {
  const upload = inspectUpload(source, aChecksum());
  const passed: Uint8Array[] = [];
  try {
    for await (const chunk of upload.bytes) passed.push(chunk);
    return { passed: Buffer.concat(passed), result: upload.result() };
  } catch (error) {
    expect(() => upload.result()).to.throw(TypeError);
    return { passed: Buffer.concat(passed), code: isAppError(error) ? error.code : error };
  }
};

describe('inspectUpload', () => {
  const aPdf = (size: number): Uint8Array => Buffer.alloc(size, '%PDF-1.7\nsome text ');
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  it('forwards all bytes and returns type, size and checksum, for any size of the chunks', async () => {
    const bytes = aPdf(SNIFF_BYTES + 30);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { passed, result } = await inspect(chunked(bytes, cut));
      expect(passed.equals(bytes), `cut at ${cut}`).to.equal(true);
      expect(result).to.deep.equal({ mediaType: 'application/pdf', byteSize: bytes.length, sha256: sha256(bytes) });
    }
  });

  it('accepts a file that is shorter than the inspected head, byte by byte', async () => {
    const { result } = await inspect(chunked(JPEG, ...JPEG.keys()));
    expect(result).to.deep.equal({ mediaType: 'image/jpeg', byteSize: JPEG.length, sha256: sha256(JPEG) });
  });

  it('refuses an empty file', async () => {
    async function* emptyChunks(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array();
      yield new Uint8Array();
    }
    expect((await inspect(chunked(new Uint8Array()))).code).to.equal('EMPTY_FILE');
    expect((await inspect(emptyChunks())).code).to.equal('EMPTY_FILE');
  });

  it('refuses an unsupported content before it forwards a byte', async () => {
    for (const bytes of [latin1('hello'), Buffer.alloc(5000, 'x'), Buffer.concat([latin1('x'), aPdf(3000)])]) {
      const { passed, code } = await inspect(chunked(bytes, 1, 3));
      expect([passed.length, code]).to.deep.equal([0, 'UNSUPPORTED_FILE_TYPE']);
    }
  });

  it('accepts exactly 25 MiB, and no byte more, for any chunks around the limit', async () => {
    const most = aPdf(MAX_UPLOAD_BYTES);
    const more = aPdf(MAX_UPLOAD_BYTES + 1);
    for (const cut of [-2, -1, 0]) {
      const fits = await inspect(chunked(most, MAX_UPLOAD_BYTES + cut));
      expect(fits.result?.byteSize).to.equal(MAX_UPLOAD_BYTES);
      expect((await inspect(chunked(more, MAX_UPLOAD_BYTES + cut))).code).to.equal('FILE_TOO_LARGE');
    }
    expect((await inspect(chunked(more))).code).to.equal('FILE_TOO_LARGE');
  });

  it('stops reading a file that is too large, and closes its source', async () => {
    let asked = 0;
    let cleaned = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (const chunk = aPdf(1024 * 1024); ; asked++) yield chunk;
      } finally {
        cleaned = true;
      }
    }
    expect((await inspect(endless())).code).to.equal('FILE_TOO_LARGE');
    expect([asked, cleaned]).to.deep.equal([25, true]);
  });

  it('throws the error of its source', async () => {
    const fault = new Error('aborted');
    for (const before of [0, 1, 1000, 5000]) {
      async function* broken(): AsyncGenerator<Uint8Array> {
        if (before > 0) yield aPdf(before);
        throw fault;
      }
      expect((await inspect(broken())).code).to.equal(fault);
    }
  });

  it('keeps the head if the source reuses the memory of a chunk', async () => {
    const bytes = aPdf(4000);
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(100);
      for (let at = 0; at < bytes.length; at += 100) {
        buffer.set(bytes.subarray(at, at + 100));
        yield buffer;
      }
    }
    const upload = inspectUpload(reusing(), aChecksum());
    const passed: Uint8Array[] = [];
    for await (const chunk of upload.bytes) passed.push(Uint8Array.from(chunk));
    expect(Buffer.concat(passed).equals(bytes)).to.equal(true);
    expect(upload.result().sha256).to.equal(sha256(bytes));
  });

  it('has no result before the end', async () => {
    const upload = inspectUpload(chunked(aPdf(5000), 2000), aChecksum());
    expect(() => upload.result()).to.throw(TypeError);
    for await (const chunk of upload.bytes) if (chunk.length > 0) break;
    expect(() => upload.result())
      .to.throw(TypeError)
      .and.not.instanceOf(AppError);
  });
});
