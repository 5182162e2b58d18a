import { turnBox, turnedSize } from '@palimpsest/core';
import type { BoundingBox, Cancellation, GreyImage, MediaType, QuarterTurn, SearchablePdfWriter, Size, TextOverlay } from '@palimpsest/core';
import { expect } from 'chai';
import { exifJpeg, uprightMark } from './exif-samples.ts';
import { expectRefusal, rejectionOf } from './expectations.ts';
import { openForEach } from './harness.ts';
import type { Open } from './harness.ts';
import { aPng, encryptedPdf, greyWithin, markedCmykJpeg, markedExifJpeg, markedImage, patience, pngKinds, textSample } from './page-samples.ts';
import { markedPdf, shownMark, shownSize } from './pdf-samples.ts';
import type { MarkedPage, PdfOddities } from './pdf-samples.ts';
import { scripts } from './script-samples.ts';

/** A word as a reader of PDF finds it, in points from the top left of the page as it is shown. */
export interface FoundWord {
  readonly text: string;
  readonly bbox: BoundingBox;
}

/** A page as a reader of PDF finds it. */
export interface FoundPage extends Size {
  readonly words: readonly FoundWord[]; // in the order in which they are read
}

/** A writer, and a reader of PDF that is no part of it. */
export interface ReadSearchablePdfs {
  readonly writer: SearchablePdfWriter;
  readonly read: (pdf: Uint8Array) => Promise<readonly FoundPage[]>; // sizes in points
  readonly render: (pdf: Uint8Array, number: number) => Promise<GreyImage>;
}

const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const PX_PER_PT = 300 / 72;
const NEAR = 2; // points
const TURNS: readonly QuarterTurn[] = [0, 90, 180, 270];
const DARK = 110;
const LIGHT = 200;

const PAPER: Size = { width: 1000, height: 1400 };
let paperPng: Uint8Array | undefined;

/** A sheet with a mark at its lower right. */
const paperFile = (): Uint8Array => (paperPng ??= aPng(markedImage(PAPER.width, PAPER.height, [900, 1300, 980, 1380])));

type OverlaidWord = TextOverlay['words'][number];

const normalised = (text: string): string => text.normalize('NFKC');

const scaled = ([x0, y0, x1, y1]: BoundingBox, across: number, down = across): BoundingBox => [x0 * across, y0 * down, x1 * across, y1 * down];

const rounded = ([x0, y0, x1, y1]: BoundingBox): BoundingBox => [Math.round(x0), Math.round(y0), Math.round(x1), Math.round(y1)];

const expectNear = (found: BoundingBox, wanted: BoundingBox, what: string): void => {
  const farthest = Math.max(...found.map((edge, i) => Math.abs(edge - (wanted[i] ?? Number.NaN))));
  expect(farthest, `${what} at ${found.map((edge) => edge.toFixed(1)).join(' ')} instead of ${wanted.join(' ')}`).to.be.at.most(NEAR);
};

/** Passes if the page has these words in this order, each where it was laid. `overlay` has the pixels that they are in. */
const expectWords = (page: FoundPage | undefined, { width, height, words }: TextOverlay): void => {
  expect(page?.words.map(({ text }) => normalised(text))).to.deep.equal(words.map(({ text }) => normalised(text)));
  words.forEach(({ text, bbox }, i) => {
    const found = page?.words[i];
    if (page !== undefined && found !== undefined) expectNear(found.bbox, scaled(bbox, page.width / width, page.height / height), text);
  });
};

/** Passes if the page is dark within `mark`, given in parts of the size `of`, and light nearly everywhere else. */
const expectMark = (image: GreyImage, mark: BoundingBox, of: Size): void => {
  const [x0, y0, x1, y1] = rounded(scaled(mark, image.width / of.width, image.height / of.height));
  const inner: BoundingBox = [x0 + 2, y0 + 2, x1 - 2, y1 - 2];
  expect(greyWithin(image, inner), 'the mark').to.be.below(DARK);
  const area = image.width * image.height;
  const outside = (greyWithin(image, [0, 0, image.width, image.height]) * area - greyWithin(image, [x0, y0, x1, y1]) * (x1 - x0) * (y1 - y0)) / (area - (x1 - x0) * (y1 - y0));
  expect(outside, 'the paper').to.be.above(LIGHT);
};

const differing = (a: GreyImage, b: GreyImage): number => a.data.reduce((count, value, i) => count + (Math.abs(value - (b.data[i] ?? -1)) > 8 ? 1 : 0), 0);

const aPage = (given: Partial<MarkedPage> = {}): MarkedPage => ({ media: [0, 0, 300, 400], mark: [60, 300, 140, 330], ...given });

/** An overlay for a page of a PDF as it is shown, with a word upon its mark, turned as it asks for. */
const onMark = (page: MarkedPage, text: string, { number = 1, rotation = 0 }: Partial<TextOverlay> = {}): TextOverlay => {
  const shown = shownSize(page);
  const { width, height } = turnedSize({ width: Math.floor(shown.width * PX_PER_PT), height: Math.floor(shown.height * PX_PER_PT) }, rotation);
  const bbox = rounded(scaled(turnBox(shownMark(page), shown, rotation), PX_PER_PT));
  return { number, width, height, rotation, words: [{ text, bbox }] };
};

/** Each word in a row of its own. */
const inRows = (texts: readonly string[], { width, height }: Size): readonly OverlaidWord[] =>
  texts.map((text, i) => {
    const [left, top] = [Math.round(width * (0.1 + 0.02 * i)), Math.round(height * (0.05 + 0.05 * i))];
    return { text, bbox: [left, top, left + Math.round(width * 0.3), top + Math.round(height * 0.03)] };
  });

/** What every {@link SearchablePdfWriter} promises. */
export const describeSearchablePdfWriter = (name: string, open: Open<ReadSearchablePdfs>): void => {
  describe(`${name} as SearchablePdfWriter`, function () {
    this.timeout(60_000);
    const opened = openForEach(open);
    const write = (file: Uint8Array, mediaType: MediaType, overlays: readonly TextOverlay[], limits = LIMITS, signal: Cancellation = patience()): Promise<Uint8Array> =>
      opened().subject.writer.write({ file, mediaType }, overlays, limits, signal);
    const read = (pdf: Uint8Array): Promise<readonly FoundPage[]> => opened().subject.read(pdf);
    const render = (pdf: Uint8Array, number = 1): Promise<GreyImage> => opened().subject.render(pdf, number);
    const writePdf = (pages: readonly MarkedPage[], overlays: readonly TextOverlay[], oddities: PdfOddities = {}): Promise<Uint8Array> =>
      write(markedPdf(pages, oddities), 'application/pdf', overlays);
    const expectSameLooks = async (before: Uint8Array, after: Uint8Array, number = 1): Promise<void> => {
      const [old, now] = [await render(before, number), await render(after, number)];
      expect([now.width, now.height]).to.deep.equal([old.width, old.height]);
      expect(differing(old, now), 'pixels that differ').to.equal(0);
    };

    describe('words', () => {
      const size = PAPER;
      const paper = paperFile();
      const onPaper = (words: readonly OverlaidWord[]): TextOverlay => ({ number: 1, ...size, rotation: 0, words });
      const throughFile = async (words: readonly OverlaidWord[]): Promise<FoundPage | undefined> => (await read(await write(paper, 'image/png', [onPaper(words)])))[0];

      for (const [script, texts] of Object.entries(scripts)) {
        it(`are found where they stand, in order: ${script}`, async () => {
          const words = inRows(texts, size);
          expectWords(await throughFile(words), onPaper(words));
        });
      }

      it('that run leftwards are found in their order', async () => {
        const texts = ['אחת', 'שתיים', 'שלוש', 'ארבע'];
        const words = texts.map((text, i): OverlaidWord => ({ text, bbox: [750 - 200 * i, 100, 900 - 200 * i, 140] }));
        expectWords(await throughFile(words), onPaper(words));
      });

      it('stay apart where their boxes touch, and are as high and as wide as their boxes', async () => {
        const words: OverlaidWord[] = [
          { text: 'side', bbox: [100, 100, 180, 130] },
          { text: 'by', bbox: [180, 100, 220, 130] },
          { text: 'side', bbox: [220, 100, 400, 130] },
          { text: 'HUGE', bbox: [100, 200, 900, 500] },
          { text: 'tiny', bbox: [100, 600, 125, 609] },
        ];
        expectWords(await throughFile(words), onPaper(words));
      });

      it('cannot be seen', async () => {
        const pdf = await write(paper, 'image/png', [onPaper(inRows(scripts['Latin'] ?? [], size))]);
        const none = await write(paper, 'image/png', [onPaper([])]);
        await expectSameLooks(none, pdf);
        expectMark(await render(pdf), [900, 1300, 980, 1380], size);
      });

      it('of any kind leave the file whole and the others where they are', async () => {
        const strange = [
          '', ' ', '\0', 'a\0b', '\u0007\u001b[31m', 'line\nend', 'tab\there', '\ud800', 'x\udc00y', '\ufeff', '\uffff', '\u202eesrever', ') Tj ET Q (', '<</X>>', '%', '\\',
          'w'.repeat(10_000), '👩‍👩‍👧'.repeat(500), 'e\u0301\u0302\u0303'.repeat(100), 'א1a'.repeat(3000),
        ];
        const boxes: BoundingBox[] = [
          [100, 300, 100, 300], [100, 300, 400, 300], [400, 330, 100, 300], [-50, -50, -10, -10], [5000, 5000, 6000, 5100], [-1e9, -1e9, 1e9, 1e9],
          [Number.NaN, 0, 10, 10], [0, 0, Infinity, 10], [1e-300, 1e-300, 2e-300, 2e-300],
        ];
        const words: OverlaidWord[] = [
          { text: 'first', bbox: [100, 100, 200, 130] },
          ...strange.map((text): OverlaidWord => ({ text, bbox: [100, 300, 400, 330] })),
          ...boxes.map((bbox): OverlaidWord => ({ text: 'elsewhere', bbox })),
          { text: 'last', bbox: [100, 1200, 200, 1230] },
        ];
        const pdf = await write(paper, 'image/png', [onPaper(words)]);
        const [page] = await read(pdf);
        for (const word of [words[0], words.at(-1)]) {
          const found = page?.words.find(({ text }) => text === word?.text);
          if (page === undefined || found === undefined || word === undefined) throw new Error(`The page has no ${word?.text}`);
          expectNear(found.bbox, scaled(word.bbox, page.width / size.width), word.text);
        }
        expectMark(await render(pdf), [900, 1300, 980, 1380], size);
      });

      it('may be very many, in few bytes', async () => {
        const many = Array.from({ length: 3000 }, (_, i): OverlaidWord => {
          const [left, top] = [20 + (i % 30) * 32, 20 + Math.floor(i / 30) * 12];
          return { text: `w${i}`, bbox: [left, top, left + 28, top + 9] };
        });
        const pdf = await write(paper, 'image/png', [onPaper(many)]);
        expect((await read(pdf))[0]?.words.map(({ text }) => text)).to.deep.equal(many.map(({ text }) => text));
        expect(pdf.length).to.be.below(paper.length + 150_000);
      });
    });

    describe('a picture', () => {
      it('of a page of text keeps its looks, its shape and about its size', async () => {
        const { image } = await textSample('harbour');
        const file = aPng(image);
        const words = inRows(['Harbour', 'master'], image);
        const overlay: TextOverlay = { number: 1, width: image.width, height: image.height, rotation: 0, words };
        const pdf = await write(file, 'image/png', [overlay]);
        const pages = await read(pdf);
        expect(pages).to.have.length(1);
        expectWords(pages[0], overlay);
        const shown = await render(pdf);
        expect(shown.width / shown.height).to.be.closeTo(image.width / image.height, 0.01);
        for (let row = 0; row < 10; row++) {
          const [top, bottom] = [row / 10, (row + 1) / 10];
          const greyOf = (it: GreyImage): number => greyWithin(it, rounded([0, top * it.height, it.width, bottom * it.height]));
          expect(greyOf(shown), `part ${row} of the page`).to.be.closeTo(greyOf(image), 4);
        }
        expect(pdf.length).to.be.below(file.length * 1.1 + 10_000);
      });

      for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
        it(`stands upright whatever EXIF says and however it is turned: orientation ${orientation}`, async () => {
          const file = await exifJpeg(orientation);
          for (const rotation of TURNS) {
            const { size, mark } = uprightMark(orientation);
            const turned = turnedSize(size, rotation);
            const bbox = turnBox(mark, size, rotation);
            const overlay: TextOverlay = { number: 1, ...turned, rotation, words: [{ text: 'mark', bbox }] };
            const pdf = await write(file, 'image/jpeg', [overlay]);
            expectWords((await read(pdf))[0], overlay);
            expectMark(await render(pdf), bbox, turned);
          }
        });
      }

      it('in CMYK is shown as it is printed, not inverted', async () => {
        const overlay: TextOverlay = { number: 1, width: 60, height: 40, rotation: 0, words: [{ text: 'mark', bbox: [0, 0, 16, 8] }] };
        const pdf = await write(await markedCmykJpeg(), 'image/jpeg', [overlay]);
        expectWords((await read(pdf))[0], overlay);
        expectMark(await render(pdf), [0, 0, 16, 8], { width: 60, height: 40 });
      });

      for (const kind of pngKinds) {
        it(`in a PNG of this kind is shown on white: ${kind}`, async () => {
          const size = { width: 101, height: 60 };
          const mark: BoundingBox = [8, 4, 32, 24];
          const overlay: TextOverlay = { number: 1, ...size, rotation: 0, words: [{ text: 'mark', bbox: mark }] };
          const pdf = await write(aPng(markedImage(size.width, size.height, mark), kind), 'image/png', [overlay]);
          expectWords((await read(pdf))[0], overlay);
          expectMark(await render(pdf), mark, size);
        });
      }

      it('without words becomes a PDF all the same', async () => {
        const pdf = await write(aPng(markedImage(100, 60, [8, 4, 32, 24])), 'image/png', [{ number: 1, width: 100, height: 60, rotation: 90, words: [] }]);
        const [page] = await read(pdf);
        expect(page?.words).to.deep.equal([]);
        expect((page?.width ?? 0) / (page?.height ?? 1)).to.be.closeTo(0.6, 0.01);
      });

      it('that is damaged, none at all or too large is refused', async () => {
        const overlays: TextOverlay[] = [{ number: 1, width: 300, height: 300, rotation: 0, words: [{ text: 'mark', bbox: [8, 4, 22, 14] }] }];
        const image = markedImage(300, 300, [8, 4, 22, 14], [100, 50, 104, 290]);
        const png = aPng(image);
        const jpeg = await markedExifJpeg();
        await expectRefusal('DOCUMENT_DAMAGED', () => write(png.subarray(0, png.length - 60), 'image/png', overlays));
        await expectRefusal('DOCUMENT_DAMAGED', () => write(jpeg.subarray(0, jpeg.length - 100), 'image/jpeg', overlays));
        for (const mediaType of ['image/png', 'image/jpeg', 'application/pdf'] as const) {
          await expectRefusal('DOCUMENT_DAMAGED', () => write(new TextEncoder().encode('/etc/passwd\n/etc/hostname\n'), mediaType, overlays));
          await expectRefusal('DOCUMENT_DAMAGED', () => write(new Uint8Array(), mediaType, overlays));
        }
        await expectRefusal('PAGE_TOO_LARGE', () => write(png, 'image/png', overlays, { ...LIMITS, maxPixels: 89_999 }));
        await expectRefusal('PAGE_TOO_LARGE', () => write(aPng(image, 'grey', { ...image, width: 30_000, height: 30_000 }), 'image/png', overlays));
        await expectRefusal('PAGE_TOO_LARGE', () => write(jpeg, 'image/jpeg', overlays, { ...LIMITS, maxPixels: 2399 }));
        expect(await read(await write(png, 'image/png', overlays, { ...LIMITS, maxPixels: 90_000 }))).to.have.length(1);
      });
    });

    describe('a PDF', () => {
      for (const rotate of TURNS) {
        for (const [where, crop] of [['whole', undefined], ['cropped', [30, 50, 280, 370]]] as const) {
          it(`is set upright, its words upon its marks: /Rotate ${rotate}, ${where}`, async () => {
            const page = aPage({ media: [10, 20, 310, 420], rotate, ...(crop && { crop }) });
            for (const rotation of TURNS) {
              const overlay = onMark(page, 'mark', { rotation });
              const pdf = await writePdf([page], [overlay]);
              const [found] = await read(pdf);
              const shown = turnedSize(shownSize(page), rotation);
              expect(found?.width, `width after a turn by ${rotation}`).to.be.closeTo(shown.width, 1);
              expect(found?.height, `height after a turn by ${rotation}`).to.be.closeTo(shown.height, 1);
              expectWords(found, overlay);
              expectMark(await render(pdf), turnBox(shownMark(page), shownSize(page), rotation), shown);
            }
          });
        }
      }

      it('looks as it did before', async () => {
        const page = aPage({ line: { text: 'Own words', x: 60, y: 200 } });
        const file = markedPdf([page]);
        await expectSameLooks(file, await write(file, 'application/pdf', [onMark(page, 'mark')]));
      });

      const three = [aPage({ mark: [10, 300, 60, 330] }), aPage({ mark: [100, 200, 180, 230] }), aPage({ mark: [200, 20, 280, 60] })];

      for (const inherits of [false, true]) {
        it(`keeps its pages apart, in order${inherits ? ', where they inherit what they have' : ''}`, async () => {
          const pages = inherits ? three.map((page) => ({ ...page, line: { text: 'Own', x: 60, y: 100 } })) : three;
          const overlays = pages.map((page, i) => onMark(page, `word${i + 1}`, { number: i + 1 }));
          const pdf = await writePdf(pages, overlays, { inherits });
          const found = await read(pdf);
          expect(found.map(({ words }) => words.map(({ text }) => text).filter((text) => text !== 'Own'))).to.deep.equal([['word1'], ['word2'], ['word3']]);
          for (const [i, page] of pages.entries()) {
            expectNear(found[i]?.words.find(({ text }) => text !== 'Own')?.bbox ?? [0, 0, 0, 0], shownMark(page), `word${i + 1}`);
            await expectSameLooks(markedPdf(pages, { inherits }), pdf, i + 1);
          }
        });
      }

      it('takes overlays by their number, in any order, and turns none but the pages that are to be turned', async () => {
        const overlays = [3, 1, 2].map((number) => onMark(three[number - 1] ?? aPage(), `word${number}`, { number, rotation: number === 2 ? 90 : 0 }));
        const found = await read(await writePdf(three, overlays));
        expect(found.map(({ words }) => words.map(({ text }) => text))).to.deep.equal([['word1'], ['word2'], ['word3']]);
        expect(found.map(({ width, height }) => width > height)).to.deep.equal([false, true, false]);
        expectWords(found[1], overlays[2] ?? onMark(aPage(), ''));
      });

      it('keeps the text of pages that are given no words', async () => {
        const pages = [aPage({ line: { text: 'Stays here', x: 60, y: 200 } }), aPage()];
        const file = markedPdf(pages);
        const overlays = [{ ...onMark(pages[0] ?? aPage(), ''), words: [] }, onMark(aPage(), 'added', { number: 2 })];
        const found = await read(await write(file, 'application/pdf', overlays));
        const before = await read(file);
        expect(found[0]).to.deep.equal(before[0]);
        expect(found[1]?.words.map(({ text }) => text)).to.deep.equal(['added']);
      });

      it('is not upset by a graphics state that the page leaves behind, or takes too much of', async () => {
        for (const oddity of [{ after: 'q 2 0 0 2 100 100 cm 3 w' }, { after: 'Q Q Q' }, { before: 'q 0.5 0 0 0.5 0 0 cm BT /F1 9 Tf 200 Tz 40 Ts ET Q', after: 'BT 50 Ts' }]) {
          const page = aPage(oddity);
          const overlay = onMark(page, 'mark');
          const pdf = await writePdf([page], [overlay]);
          expectWords((await read(pdf))[0], overlay);
          await expectSameLooks(markedPdf([page]), pdf);
        }
      });

      it('may be protected against changes, or have broken cross references', async () => {
        for (const oddities of [{ protectedBy: 'owner' }, { crossReferences: 'broken' }] as const) {
          const page = aPage({ line: { text: 'Own words', x: 60, y: 200 } });
          const file = markedPdf([page], oddities);
          const overlay = onMark(page, 'mark');
          const pdf = await write(file, 'application/pdf', [overlay]);
          const [found] = await read(pdf);
          expect(found?.words.map(({ text }) => text).sort()).to.deep.equal(['Own', 'mark', 'words']);
          expectNear(found?.words.find(({ text }) => text === 'mark')?.bbox ?? [0, 0, 0, 0], shownMark(page), 'mark');
          await expectSameLooks(file, pdf);
        }
      });

      it('is refused if it needs a password, is broken or has fewer pages than were read', async () => {
        const overlay = onMark(aPage(), 'mark');
        await expectRefusal('DOCUMENT_ENCRYPTED', () => write(encryptedPdf(), 'application/pdf', [overlay]));
        await expectRefusal('DOCUMENT_DAMAGED', () => write(new TextEncoder().encode('%PDF-1.7\n%%EOF\n'), 'application/pdf', [overlay]));
        await expectRefusal('DOCUMENT_DAMAGED', () => writePdf([aPage()], [overlay, { ...overlay, number: 2 }]));
      });
    });

    it('gives up when the time is over, and goes on with the next file', async () => {
      const page = aPage();
      await expectRefusal('PAGE_TIMED_OUT', () => write(markedPdf([page]), 'application/pdf', [onMark(page, 'late')], { ...LIMITS, timeoutMs: 1 }));
      const overlay = onMark(page, 'mark');
      expectWords((await read(await writePdf([page], [overlay])))[0], overlay);
    });

    it('gives up when the signal aborts, with its reason', async () => {
      const reason = new Error('enough');
      const page = aPage();
      const overlay = onMark(page, 'mark');
      const file = markedPdf([page]);
      expect(await rejectionOf(() => write(file, 'application/pdf', [overlay], LIMITS, AbortSignal.abort(reason)))).to.equal(reason);
      const controller = new AbortController();
      const work = write(file, 'application/pdf', [overlay], LIMITS, controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(() => work)).to.equal(reason);
      expectWords((await read(await writePdf([page], [overlay])))[0], overlay);
    });

    it('changes nothing of what it is given', async () => {
      const page = aPage();
      const overlays = [onMark(page, 'mark\0', { rotation: 90 })];
      const copy = structuredClone(overlays);
      for (const [file, mediaType] of [[markedPdf([page]), 'application/pdf'], [await markedExifJpeg(), 'image/jpeg'], [aPng(markedImage(60, 40, [8, 4, 22, 14])), 'image/png']] as const) {
        const before = Uint8Array.from(file);
        await write(file, mediaType, overlays);
        expect(file).to.deep.equal(before);
        expect(overlays).to.deep.equal(copy);
      }
    });

    it('writes several files at once, and the same file with other words, each its own', async () => {
      const page = aPage();
      const files = ['uno', 'dos', 'tres', 'cuatro', 'cinco'].map((text) => writePdf([page], [onMark(page, text)]));
      const found = await Promise.all((await Promise.all(files)).map(read));
      expect(found.map((pages) => pages.map(({ words }) => words.map(({ text }) => text)))).to.deep.equal([[['uno']], [['dos']], [['tres']], [['cuatro']], [['cinco']]]);
    });
  });
};
