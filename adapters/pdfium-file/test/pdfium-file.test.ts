import { encryptedPdf, markedPdf } from '@palimpsest/contract-tests/internal';
import { isAppError } from '@palimpsest/core';
import { loadPdfium, PdfiumFile, translateTrap } from '@palimpsest/pdfium-file';
import type { Pdfium } from '@palimpsest/pdfium-file';
import { expect } from 'chai';

const PDF = markedPdf([
  { media: [0, 0, 300, 400], mark: [60, 300, 140, 330] },
  { media: [0, 0, 200, 100], mark: [10, 10, 20, 20] },
]);

describe('PdfiumFile', () => {
  let pdfium: Pdfium;
  before(async () => {
    pdfium = await loadPdfium();
  });

  const withFile = <T>(bytes: Uint8Array, task: (file: PdfiumFile) => T): T => {
    const file = new PdfiumFile(pdfium, bytes);
    try {
      return task(file);
    } finally {
      file.close();
    }
  };
  const summariesOf = (bytes: Uint8Array) => withFile(bytes, (file) => file.summarizePages());

  it('reads the size and the number of objects of each page', () => {
    const summaries = summariesOf(PDF);
    expect(summaries.map(({ width, height }) => [width, height])).to.deep.equal([
      [300, 400],
      [200, 100],
    ]);
    expect(summaries.every(({ objects }) => objects > 0)).to.equal(true);
  });

  it('copies the document, and copies only its pages, without changing the pages', () => {
    const [copy, pages] = withFile(PDF, (file) => [file.copy(), file.copyPages()]);
    expect(summariesOf(copy)).to.deep.equal(summariesOf(PDF));
    expect(summariesOf(pages)).to.deep.equal(summariesOf(PDF));
  });

  it('copies a file with owner protection as a file without encryption', () => {
    const bytes = markedPdf([{ media: [0, 0, 300, 400], mark: [60, 300, 140, 330] }], { protectedBy: 'owner' });
    const copy = withFile(bytes, (file) => {
      expect(file.isEncrypted).to.equal(true);
      return file.copy();
    });
    expect(withFile(copy, (file) => file.isEncrypted)).to.equal(false);
  });

  it('refuses a file that needs a password, and a file that is not a PDF', () => {
    for (const [bytes, code] of [
      [encryptedPdf(), 'DOCUMENT_ENCRYPTED'],
      [new TextEncoder().encode('/etc/passwd\n'), 'DOCUMENT_DAMAGED'],
    ] as const) {
      expect(() => new PdfiumFile(pdfium, bytes))
        .to.throw()
        .that.satisfies((error: unknown) => isAppError(error, code));
    }
  });

  it('refuses a page that does not exist', () => {
    withFile(PDF, (file) => expect(() => file.withPage(9, () => 1)).to.throw('Page 9 of the PDF is damaged'));
  });
});

describe('translateTrap', () => {
  const trap = (message: string): Error => Object.assign(new Error(message), { name: 'RuntimeError' });

  it('translates a trap to DOCUMENT_DAMAGED or PAGE_OUT_OF_MEMORY with a cause', () => {
    expect(translateTrap(trap('unreachable'), 'Page 3 of the PDF')).to.include({ code: 'DOCUMENT_DAMAGED' });
    expect(translateTrap(trap('Aborted(OOM)'), 'The PDF')).to.include({
      code: 'PAGE_OUT_OF_MEMORY',
      message: 'The PDF needs too much memory to be read.',
    });
    expect(translateTrap(trap('unreachable'), 'The PDF')).to.have.property('cause');
  });

  it('returns any other error unchanged', () => {
    const error = new TypeError('a bug');
    expect(translateTrap(error, 'The PDF')).to.equal(error);
  });
});
