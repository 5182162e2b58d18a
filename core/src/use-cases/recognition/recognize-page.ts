import { cleanText } from '../../document/text.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import {
  boxBeforePreparation,
  turnBox,
  turnedSize,
  turnOfSidewaysLines,
  type Size,
} from '../../recognition/geometry.ts';
import { doubtfulHeadlines, HEADLINE_HEIGHT_PX, withHeadline } from '../../recognition/headlines.ts';
import type { ImageMeasurements, PreparationStep } from '../../recognition/image-preparation.ts';
import type { RecognitionLimits } from '../../recognition/limits.ts';
import type { GreyImage, PageText, QuarterTurn, Word } from '../../recognition/page.ts';
import { noPreparation, stepsOf, type Preparation } from '../../recognition/preparation.ts';
import { isClearlyBetter, scoreReading } from '../../recognition/score.ts';
import { isWeak, variantRules } from '../../recognition/variants.ts';
import { plusMs, type Cancellation } from '../../units.ts';

/** The result of reading an image; sizes and boxes refer to the image after `rotation`. */
export interface PageReading extends PageText, Size {
  readonly rotation: QuarterTurn; // clockwise rotation that made the image upright
  readonly passes: number; // how many times the image was read, >= 1
}

/** One pass: the preparation of the image, and the text with boxes in pixels of the prepared image. */
interface Pass extends PageText {
  readonly preparation: Preparation;
  readonly prepared: Size;
  readonly score: number;
}

const SURE_ORIENTATION = 1.5;
const NO_INK = 0.0003;
const MAX_PASSES = 6;
const MIN_TIME_LEFT = 1.5; // a further pass needs this much time, in durations of the first pass

const cleanWords = (words: readonly Word[]): readonly Word[] =>
  words.map((word) => ({ ...word, text: cleanText(word.text).trim() })).filter((word) => word.text !== '');

/** Runs an optional improvement. If it fails, the earlier result is kept. */
const ifPossible = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error, 'PAGE_TIMED_OUT', 'PAGE_OUT_OF_MEMORY', 'ENGINE_CRASHED', 'PAGE_TOO_LARGE')) return undefined;
    throw error;
  }
};

/**
 * Reads a page image: first without preparation, then with other preparations (variants) if there is a reason for them
 * (doubtful words, skewed lines, uneven paper, small letters). A variant replaces the result only if its text is
 * clearly better. There are at most six passes within `pageTimeoutMs`. The failure of a variant is ignored. Throws the
 * errors of the first pass: `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY`, `PAGE_TOO_LARGE`, `ENGINE_CRASHED`; when `signal`
 * aborts, its reason.
 */
export const recognizePage =
  ({ ocrEngine, imagePreparer, clock }: Pick<Ports, 'ocrEngine' | 'imagePreparer' | 'clock'>) =>
  async (
    image: GreyImage,
    { language, maxPixels, pageTimeoutMs }: RecognitionLimits,
    signal: Cancellation,
  ): Promise<PageReading> => {
    const begun = clock.now();
    const end = plusMs(begun, pageTimeoutMs);
    const msLeft = (): number => Math.max(1, Math.floor((end - clock.now()) / 1000));
    let passes = 0;

    const prepare = async (preparation: Preparation): Promise<GreyImage> => {
      const steps = stepsOf(preparation);
      return steps.length === 0 ? image : imagePreparer.prepare(image, steps, msLeft(), signal);
    };
    const read = async (preparation: Preparation): Promise<Pass> => {
      passes++;
      const prepared = await prepare(preparation);
      const request = { language, threshold: preparation.threshold, timeoutMs: msLeft() };
      const { text, confidence, words } = await ocrEngine.recognize(prepared, request, signal);
      const reading = { text: cleanText(text).trim(), confidence, words: cleanWords(words) };
      return {
        ...reading,
        preparation,
        prepared: { width: prepared.width, height: prepared.height },
        score: scoreReading(reading),
      };
    };

    const assess = (turn: QuarterTurn): Promise<ImageMeasurements | undefined> =>
      ifPossible(async () => imagePreparer.assess(await prepare({ ...noPreparation, turn }), msLeft(), signal));

    let [best, signs] = await Promise.all([read(noPreparation), assess(0)]);
    const firstPassMs = (clock.now() - begun) / 1000;
    const tried = new Set([JSON.stringify(noPreparation)]);

    const consider = async (change: Partial<Preparation>): Promise<boolean> => {
      const preparation = { ...best.preparation, ...change };
      const key = JSON.stringify(preparation);
      if (tried.has(key) || passes >= MAX_PASSES || msLeft() < MIN_TIME_LEFT * firstPassMs) return false;
      tried.add(key);
      const candidate = await ifPossible(() => read(preparation));
      if (candidate === undefined || !isClearlyBetter(candidate.score, best.score)) return false;
      best = candidate;
      return true;
    };

    const improve = async (): Promise<void> => {
      if (best.words.length === 0 && signs !== undefined && signs.inkShare < NO_INK) return;
      if (isWeak(best)) {
        const orientation = await ifPossible(() => ocrEngine.detectOrientation(image, msLeft(), signal));
        if (orientation !== undefined && orientation.confidence >= SURE_ORIENTATION && orientation.degrees !== 0) {
          if (await consider({ turn: orientation.degrees })) signs = await assess(orientation.degrees);
        }
      }
      for (const rule of variantRules) {
        const change = rule({ image, maxPixels, signs, best });
        if (change !== undefined) await consider(change);
      }
    };

    /** Reads titles in large letters again if their confidence is low. */
    const rereadHeadlines = async (): Promise<void> => {
      for (const headline of doubtfulHeadlines(best, best.prepared)) {
        if (passes >= MAX_PASSES || msLeft() < MIN_TIME_LEFT * firstPassMs) return;
        passes++;
        const steps: readonly PreparationStep[] = [
          ...stepsOf(best.preparation),
          { kind: 'crop', box: headline.region },
          { kind: 'scale', height: HEADLINE_HEIGHT_PX },
        ];
        const reread = await ifPossible(async () => {
          const regionImage = await imagePreparer.prepare(image, steps, msLeft(), signal);
          const { threshold } = best.preparation;
          const { words, ...rest } = await ocrEngine.recognize(
            regionImage,
            { language, threshold, timeoutMs: msLeft() },
            signal,
          );
          return withHeadline(best, headline, { ...rest, words: cleanWords(words) }, regionImage);
        });
        if (reread !== undefined) best = { ...reread, score: scoreReading(reread) };
      }
    };

    // The engine reads vertical lines without rotation of the image; then the page becomes upright by rotating the boxes.
    const sideways = language.includes('_vert') ? 0 : turnOfSidewaysLines(best.words);
    if (sideways !== 0) {
      best = {
        ...best,
        words: best.words.map((word) => ({ ...word, bbox: turnBox(word.bbox, image, sideways) })),
        preparation: { ...noPreparation, turn: sideways },
        prepared: turnedSize(image, sideways),
      };
      tried.add(JSON.stringify(best.preparation));
      signs = await assess(sideways);
    }
    await improve();
    await rereadHeadlines();
    const { preparation, prepared } = best;
    const size = turnedSize(image, preparation.turn);
    const words = best.words.map((word) => ({
      ...word,
      bbox: boxBeforePreparation(word.bbox, preparation, prepared, size),
    }));
    return { text: best.text, confidence: best.confidence, words, ...size, rotation: preparation.turn, passes };
  };
