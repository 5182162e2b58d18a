import type { Size } from './geometry.ts';
import type { ImageMeasurements } from './image-preparation.ts';
import type { PageText } from './page.ts';
import { enlargementFor, typicalWordHeight, type Preparation } from './preparation.ts';

/** A page image and the best reading of it so far. */
export interface ReadImage {
  readonly image: Size;
  readonly maxPixels: number; // of an enlarged image
  readonly signs: ImageMeasurements | undefined; // `undefined`: the measurement failed
  readonly best: PageText & { readonly preparation: Preparation };
}

// Measured on 31 images: 22 of them need one pass, and unnecessary steps make some results worse.
const WEAK_CONFIDENCE = 0.85;
const NOTABLE_SKEW_DEGREES = 1;
const MAX_SKEW_DEGREES = 9.5;
const UNEVEN_BACKGROUND = 0.25;
const MAX_ENLARGED_PIXELS = 40_000_000;
const MAX_SIDE = 32_767; // the limit of Tesseract

/** Whether a reading is so doubtful that other preparations may be better. */
export const isWeak = ({ words, confidence }: PageText): boolean => words.length === 0 || confidence < WEAK_CONFIDENCE;

const enlarged = ({ image, maxPixels }: ReadImage, wordHeight: number | undefined): Partial<Preparation> => ({
  factor: enlargementFor(wordHeight, image, {
    maxPixels: Math.min(maxPixels, MAX_ENLARGED_PIXELS),
    maxSide: MAX_SIDE,
  }),
});

/** A change of the best preparation so far, `undefined` if there is no reason for it. */
type VariantRule = (page: ReadImage) => Partial<Preparation> | undefined;

/** The variants of a page in the order in which they are tried. Each rule sees the best reading of the earlier ones. */
export const variantRules: readonly VariantRule[] = [
  function straighten({ signs }) {
    const skew = Math.abs(signs?.skewDegrees ?? 0);
    return signs !== undefined && skew >= NOTABLE_SKEW_DEGREES && skew <= MAX_SKEW_DEGREES
      ? { degrees: -signs.skewDegrees }
      : undefined;
  },
  function adaptToUnevenPaper({ signs }) {
    return signs !== undefined && signs.backgroundRange > UNEVEN_BACKGROUND ? { threshold: 'adaptive' } : undefined;
  },
  function enlargeSmallLetters(page) {
    const wordHeight = typicalWordHeight(page.best.words);
    return wordHeight === undefined ? undefined : enlarged(page, wordHeight / page.best.preparation.factor);
  },
  function removeSpecks({ best }) {
    return isWeak(best) ? { median: true } : undefined;
  },
  function adaptThreshold({ best }) {
    return isWeak(best) ? { threshold: 'adaptive' } : undefined;
  },
  function enlargeUnreadLetters(page) {
    const { best } = page;
    return isWeak(best) && best.preparation.factor === 1 ? enlarged(page, undefined) : undefined;
  },
];
