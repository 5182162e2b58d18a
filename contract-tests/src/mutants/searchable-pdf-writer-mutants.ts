import { isAppError, turnBox } from '@palimpsest/core';
import type { BoundingBox, Cancellation, DecodeLimits, SearchableSource, Size, TextOverlay } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { turnImage } from '../ocr-engine/contract.ts';
import { markedImage } from '../kit/page-samples.ts';
import type { ReadSearchablePdfs } from '../searchable-pdf-writer/found-pages.ts';
import { refusal } from './page-fakes.ts';
import { openWriter, PlainSearchablePdfWriter } from './plain-searchable-pdf-writer.ts';
import type { PlainPage } from './plain-searchable-pdf-writer.ts';

/** The writer that the mutants are made of passes the suite. */
export const plainSearchablePdfWriter: Open<ReadSearchablePdfs> = openWriter(PlainSearchablePdfWriter);

const changingPages = (change: (page: PlainPage, overlay: TextOverlay) => PlainPage): Open<ReadSearchablePdfs> =>
  openWriter(
    class extends PlainSearchablePdfWriter {
      protected override lay(page: PlainPage, overlay: TextOverlay): PlainPage {
        return change(super.lay(page, overlay), overlay);
      }
    },
  );

const placing = (place: (bbox: BoundingBox, overlay: Size, page: PlainPage) => BoundingBox): Open<ReadSearchablePdfs> =>
  openWriter(
    class extends PlainSearchablePdfWriter {
      protected override place(bbox: BoundingBox, overlay: Size, page: PlainPage): BoundingBox {
        return place(super.place(bbox, overlay, page), overlay, page);
      }
    },
  );

const spelling = (spell: (text: string) => string): Open<ReadSearchablePdfs> =>
  openWriter(
    class extends PlainSearchablePdfWriter {
      protected override spell(text: string): string {
        return spell(text);
      }
    },
  );

const changingSource = (
  change: (pages: readonly PlainPage[], source: SearchableSource) => readonly PlainPage[],
): Open<ReadSearchablePdfs> =>
  openWriter(
    class extends PlainSearchablePdfWriter {
      protected override open(source: SearchableSource, limits: DecodeLimits): readonly PlainPage[] {
        return change(super.open(source, limits), source);
      }
    },
  );

const forgiving = (...codes: Parameters<typeof refusal>): Open<ReadSearchablePdfs> =>
  openWriter(
    class extends PlainSearchablePdfWriter {
      protected override open(source: SearchableSource, limits: DecodeLimits): readonly PlainPage[] {
        try {
          return super.open(source, limits);
        } catch (error) {
          if (!isAppError(error, ...codes)) throw error;
          return [{ width: 100, height: 100, words: [], image: markedImage(100, 100) }];
        }
      }
    },
  );

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Broken writers, by what is wrong with them. */
export const searchablePdfWriterMutants: Readonly<Record<string, Open<ReadSearchablePdfs>>> = {
  'writes no words': changingPages((page, { words }) => ({
    ...page,
    words: page.words.slice(0, page.words.length - words.length),
  })),
  'writes words that can be seen': changingPages((page, { words }) =>
    words.length === 0
      ? page
      : { ...page, image: { ...page.image, data: page.image.data.map((value, i) => (i % 7 === 0 ? 60 : value)) } },
  ),
  'writes the words in another order': changingPages((page) => ({
    ...page,
    words: page.words.toSorted((a, b) => a.text.localeCompare(b.text)),
  })),
  'leaves pages as they were turned': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override turn(page: PlainPage): PlainPage {
        return page;
      }
    },
  ),
  'turns pages anticlockwise': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override turn(page: PlainPage, overlay: TextOverlay): PlainPage {
        return super.turn(page, {
          ...overlay,
          rotation: ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[overlay.rotation],
        });
      }
    },
  ),
  'turns the words but not the picture': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override turn(page: PlainPage, overlay: TextOverlay): PlainPage {
        return { ...super.turn(page, overlay), image: page.image };
      }
    },
  ),
  'forgets /Rotate where it puts words': placing((bbox, _, page) => turnBox(bbox, page, page.of?.rotate ?? 0)),
  'forgets /Rotate and so shows pages lying': changingSource((pages) =>
    pages.map((page) => ({ ...page, image: turnImage(page.image, page.of?.rotate === 90 ? 270 : 0) })),
  ),
  'measures from the corner of the media box': placing(([x0, y0, x1, y1], _, { of }) => {
    const [dx, dy] = of?.crop === undefined ? [0, 0] : [of.crop[0] - of.media[0], of.media[3] - of.crop[3]];
    return [x0 - dx, y0 - dy, x1 - dx, y1 - dy];
  }),
  'measures from the bottom': placing(([x0, y0, x1, y1], _, { height }) => [x0, height - y1, x1, height - y0]),
  'takes pixels for points': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override place(bbox: BoundingBox): BoundingBox {
        return bbox;
      }
    },
  ),
  'makes words too low': placing(([x0, y0, x1, y1]) => [x0, (y0 + y1) / 2, x1, y1]),
  'sets words on a line that is too high': placing(([x0, y0, x1, y1]) => [
    x0,
    y0 - (y1 - y0) * 0.2,
    x1,
    y1 - (y1 - y0) * 0.2,
  ]),
  'makes words as wide as its letters are': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override lay(page: PlainPage, overlay: TextOverlay): PlainPage {
        const laid = super.lay(page, overlay);
        return {
          ...laid,
          words: laid.words.map(({ text, bbox: [x0, y0, , y1] }) => ({
            text,
            bbox: [x0, y0, x0 + text.length * (y1 - y0) * 0.5, y1],
          })),
        };
      }
    },
  ),
  'lets words run together': changingPages((page) => ({
    ...page,
    words: page.words.reduce<PlainPage['words']>((joined, word) => {
      const last = joined.at(-1);
      if (last === undefined || last.bbox[2] !== word.bbox[0] || last.bbox[1] !== word.bbox[1])
        return [...joined, word];
      return [
        ...joined.slice(0, -1),
        { text: last.text + word.text, bbox: [last.bbox[0], last.bbox[1], word.bbox[2], word.bbox[3]] },
      ];
    }, []),
  })),
  'knows the letters of one alphabet': spelling((text) => text.replace(/[^\u0000-\u024f\u2000-\u20cf]/gu, '?')),
  'knows one plane of Unicode': spelling((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  'drops marks above and below letters': spelling((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  'writes what runs leftwards the other way round': spelling((text) =>
    RIGHT_TO_LEFT.test(text) ? [...text].toReversed().join('') : text,
  ),
  'lays all words on the first page': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override overlayFor(overlays: readonly TextOverlay[], number: number): TextOverlay | undefined {
        const [first] = overlays;
        return number === 1 && first !== undefined
          ? { ...first, words: overlays.flatMap(({ words }) => words) }
          : undefined;
      }
    },
  ),
  'takes overlays as they come': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override overlayFor(overlays: readonly TextOverlay[], number: number): TextOverlay | undefined {
        return overlays[number - 1];
      }
    },
  ),
  'wipes out the text of pages': changingSource((pages) => pages.map((page) => ({ ...page, words: [] }))),
  'loses what pages inherit': changingSource((pages, { file }) =>
    /\/Kids \[[^\]]*\] \/Resources/.test(Buffer.from(file).toString('latin1'))
      ? pages.map((page) => ({ ...page, image: markedImage(page.image.width, page.image.height) }))
      : pages,
  ),
  'lets the graphics state of a page move its words': placing((bbox, _, { of }) =>
    of?.after?.includes('cm') === true ? [bbox[0] * 2, bbox[1] * 2, bbox[2] * 2, bbox[3] * 2] : bbox,
  ),
  'does not know EXIF': changingSource((pages, { mediaType }) =>
    mediaType === 'image/jpeg'
      ? pages.map((page) => ({ ...page, image: page.width < page.height ? turnImage(page.image, 270) : page.image }))
      : pages,
  ),
  'shows CMYK inverted': changingSource((pages, { file }) =>
    Buffer.from(file).includes('Adobe')
      ? pages.map((page) => ({ ...page, image: { ...page.image, data: page.image.data.map((value) => 255 - value) } }))
      : pages,
  ),
  'shows what is transparent on black': changingSource((pages, { file, mediaType }) =>
    mediaType === 'image/png' && file[25] === 6
      ? pages.map((page) => ({ ...page, image: { ...page.image, data: page.image.data.map(() => 0) } }))
      : pages,
  ),
  'shows pictures as shadows of themselves': changingSource((pages) =>
    pages.map((page) => ({ ...page, image: { ...page.image, data: page.image.data.map((value) => 128 + value / 2) } })),
  ),
  'opens files that need a password as blank pages': forgiving('DOCUMENT_ENCRYPTED'),
  'opens broken files as blank pages': forgiving('DOCUMENT_DAMAGED'),
  'opens pictures of any size': forgiving('PAGE_TOO_LARGE'),
  'refuses files that are protected against changes': changingSource((pages, { file }) => {
    if (Buffer.from(file).includes('/Encrypt')) throw refusal('DOCUMENT_ENCRYPTED');
    return pages;
  }),
  'does not see that pages are missing': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override checkNumbers(): void {}
    },
  ),
  'cannot stand strange words': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override readable({ words }: TextOverlay): TextOverlay['words'] {
        if (words.some(({ text }) => !text.isWellFormed())) throw new Error('WinAnsi cannot encode it');
        return words;
      }
    },
  ),
  'makes files far larger than they were': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override fileLength(sourceLength: number): number {
        return sourceLength * 30;
      }
    },
  ),
  'spends hundreds of bytes on a word': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override fileLength(sourceLength: number, words: number): number {
        return sourceLength + 400 * words;
      }
    },
  ),
  'remembers the words of the file before': openWriter(
    class extends PlainSearchablePdfWriter {
      #before: TextOverlay['words'] = [];
      protected override readable(overlay: TextOverlay): TextOverlay['words'] {
        const words = [...this.#before, ...super.readable(overlay)];
        this.#before = super.readable(overlay);
        return words;
      }
    },
  ),
  'writes into the file': openWriter(
    class extends PlainSearchablePdfWriter {
      override async write(
        source: SearchableSource,
        overlays: readonly TextOverlay[],
        limits: DecodeLimits,
        signal: Cancellation,
      ): Promise<Uint8Array> {
        const pdf = await super.write(source, overlays, limits, signal);
        source.file.fill(0);
        return pdf;
      }
    },
  ),
  'uses the words up': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override lay(page: PlainPage, overlay: TextOverlay): PlainPage {
        const laid = super.lay(page, overlay);
        if (Array.isArray(overlay.words)) overlay.words.splice(0);
        return laid;
      }
    },
  ),
  'takes all the time it needs': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override checkTime(): void {}
    },
  ),
  'ignores the signal': openWriter(
    class extends PlainSearchablePdfWriter {
      protected override pause(): Promise<void> {
        return super.pause(new AbortController().signal);
      }
    },
  ),
};
