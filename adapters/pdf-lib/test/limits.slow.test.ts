import { markedPdf, neverAborted } from '@palimpsest/contract-tests/internal';
import type { MediaType, TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters, PdfLibOptions } from '@palimpsest/pdf-lib';
import { expect } from 'chai';
import sharp from 'sharp';
import { pdfFile, pdfStream } from './pdf-builder.ts';

const WORD: TextOverlay = {
  number: 1,
  width: 300,
  height: 400,
  rotation: 0,
  words: [{ text: 'word', bbox: [60, 70, 140, 100] }],
};

describe('PdfLibSearchablePdfWriter at its limits', () => {
  const opened: PdfLibAdapters[] = [];
  const open = (options: Partial<PdfLibOptions> = {}): PdfLibAdapters => {
    const adapters = openPdfLib({ children: 1, ...options });
    opened.push(adapters);
    return adapters;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()));
  });

  const write = (
    { searchablePdfs }: PdfLibAdapters,
    file: Uint8Array,
    mediaType: MediaType,
    timeoutMs: number,
  ): Promise<Uint8Array> =>
    searchablePdfs.write({ file, mediaType }, [WORD], { maxPixels: 50_000_000, timeoutMs }, neverAborted());

  it('throws PAGE_OUT_OF_MEMORY for an image when the child exceeds its memory limit', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const file = await sharp({ create: { width: 2500, height: 2500, channels: 3, background: '#abc', noise } })
      .png({ progressive: true })
      .toBuffer();
    const error: unknown = await write(open({ memoryLimitBytes: 1_000_000 }), file, 'image/png', 60_000).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'PAGE_OUT_OF_MEMORY' });
  });

  it('ends the work on a PDF with 12 levels of nested forms, ten on each level, and writes the next PDF', async () => {
    const forms = Array.from({ length: 12 }, (_, level) => {
      const resources = `/Resources << /XObject << /X ${11 + level} 0 R >> >>`;
      const content = '/X Do '.repeat(10);
      return `${10 + level} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream endobj`;
    });
    const file = pdfFile(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 400] >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 10 0 R >> >> >> endobj',
      `4 0 obj ${pdfStream('/X Do')} endobj`,
      ...forms,
      '22 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 9 9 re f\nendstream endobj',
    );
    const adapters = open();
    const outcome: unknown = await write(adapters, file, 'application/pdf', 3000).catch((thrown: unknown) => thrown);
    if (!(outcome instanceof Uint8Array)) {
      const codes = ['PAGE_TIMED_OUT', 'PAGE_OUT_OF_MEMORY', 'DOCUMENT_DAMAGED'];
      expect(Reflect.get(Object(outcome), 'code')).to.be.oneOf(codes);
    }
    const next = markedPdf([{ media: [0, 0, 300, 400], mark: [60, 300, 140, 330] }]);
    expect((await write(adapters, next, 'application/pdf', 60_000)).length).to.be.above(0);
  });
});
