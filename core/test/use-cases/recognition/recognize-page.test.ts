import { expect } from 'chai';
import { AppError, recognizePage, turnedSize } from '@palimpsest/core';
import type {
  GreyImage,
  ImagePreparer,
  ImageMeasurements,
  OcrEngine,
  OcrRequest,
  Orientation,
  PageReading,
  PageText,
  PreparationStep,
} from '@palimpsest/core';

const signal = new AbortController().signal;
const limits = { language: 'eng', maxPixels: 1e8, pageTimeoutMs: 60_000 };
const QUIET: ImageMeasurements = { skewDegrees: 0, backgroundRange: 0, inkShare: 0.1 };
const EMPTY: PageText = { text: '', confidence: 0, words: [] };

const anImage = (width = 1000, height = 1400): GreyImage => ({ width, height, data: new Uint8Array(width * height) });

/** Six words in two lines, `height` pixels high. */
const aReading = (confidence: number, text = 'letters', height = 30): PageText => ({
  text: `${text}\n`,
  confidence,
  words: Array.from({ length: 6 }, (_, i) => ({
    text,
    confidence,
    bbox: [
      100 + (i % 3) * 200,
      100 + Math.floor(i / 3) * 60,
      250 + (i % 3) * 200,
      100 + Math.floor(i / 3) * 60 + height,
    ] as const,
    line: Math.floor(i / 3),
    block: 0,
  })),
});

interface Scene {
  readonly read: (image: GreyImage, request: OcrRequest, steps: readonly PreparationStep[], pass: number) => PageText;
  readonly signs?: ImageMeasurements;
  readonly orientation?: Orientation;
  readonly msAPass?: number;
}

/** Runs `recognizePage` with ports that simulate `scene`. `log` lists the steps and the threshold of each pass. */
const play = async (scene: Scene, image = anImage()) => {
  const made = new WeakMap<GreyImage, readonly PreparationStep[]>();
  const log: string[] = [];
  let [now, pass] = [0, 0];
  const ocrEngine: OcrEngine = {
    name: 'engine',
    supports: async () => true,
    recognize: async (image, request) => {
      const steps = made.get(image) ?? [];
      log.push([...steps.map((step) => step.kind), request.threshold].join('+'));
      now += (scene.msAPass ?? 1000) * 1000;
      return scene.read(image, request, steps, ++pass);
    },
    detectOrientation: async () => {
      log.push('orientation');
      return scene.orientation;
    },
  };
  const imagePreparer: ImagePreparer = {
    assess: async () => scene.signs ?? QUIET,
    prepare: async (image, steps) => {
      let size = { width: image.width, height: image.height };
      for (const step of steps) {
        if (step.kind === 'turn') size = turnedSize(size, step.degrees);
        if (step.kind === 'upscale') size = { width: size.width * step.factor, height: size.height * step.factor };
      }
      const prepared = anImage(size.width, size.height);
      made.set(prepared, steps);
      return prepared;
    },
  };
  const reading: PageReading = await recognizePage({ ocrEngine, imagePreparer, clock: { now: () => now } })(
    image,
    limits,
    signal,
  );
  return { reading, log };
};

describe('recognizePage', () => {
  it('reads a good page once, without preparation', async () => {
    const { reading, log } = await play({ read: () => aReading(0.95) });
    expect(log).to.deep.equal(['global']);
    expect(reading).to.deep.include({ text: 'letters', passes: 1, rotation: 0, width: 1000, height: 1400 });
    expect(reading.words[0]?.bbox).to.deep.equal([100, 100, 250, 130]);
  });

  it('reads a doubtful title in large letters again', async () => {
    const body = aReading(0.95);
    const title = { text: 'Titel', confidence: 0.3, bbox: [100, 20, 500, 90] as const, line: 2, block: 1 };
    const page = { ...body, text: 'Titel\nletters letters letters\n', words: [title, ...body.words] };
    const titleAlone = {
      text: 'Title',
      confidence: 0.9,
      words: [{ text: 'Title', confidence: 0.9, bbox: [10, 10, 100, 50] as const, line: 0, block: 0 }],
    };
    const { reading, log } = await play({ read: (_image, _request, steps) => (steps.length > 0 ? titleAlone : page) });
    expect(log).to.deep.equal(['global', 'crop+scale+global']);
    expect(reading).to.deep.include({ text: 'Title\nletters letters letters', passes: 2 });
    expect(reading.words[0]).to.include({ text: 'Title', confidence: 0.9, line: 2, block: 1 });
    const stillDoubtful = { ...titleAlone, words: titleAlone.words.map((word) => ({ ...word, confidence: 0.4 })) };
    const kept = await play({ read: (_image, _request, steps) => (steps.length > 0 ? stillDoubtful : page) });
    expect(kept.reading.words[0]?.text).to.equal('Titel');
  });

  it('reads an empty page once', async () => {
    const { reading, log } = await play({ read: () => EMPTY, signs: { ...QUIET, inkShare: 0 } });
    expect(log).to.deep.equal(['global']);
    expect(reading).to.deep.include({ text: '', words: [], confidence: 0, passes: 1 });
  });

  it('rotates a doubtful page if the orientation is certain, and returns the upright page', async () => {
    const { reading, log } = await play({
      read: (_image, _request, steps) => aReading(steps.length > 0 ? 0.95 : 0.5),
      orientation: { degrees: 270, confidence: 12 },
    });
    expect(log).to.deep.equal(['global', 'orientation', 'turn+global']);
    expect(reading).to.deep.include({ rotation: 270, width: 1400, height: 1000, passes: 2, confidence: 0.95 });
  });

  it('does not rotate the page if the orientation is uncertain, nor if the rotated page gives no better text', async () => {
    const guess = await play({ read: () => aReading(0.8), orientation: { degrees: 180, confidence: 1.4 } });
    expect(guess.log.some((entry) => entry.startsWith('turn'))).to.equal(false);
    const wrong = await play({
      read: (_image, _request, steps) => aReading(steps.some((step) => step.kind === 'turn') ? 0.5 : 0.8),
      orientation: { degrees: 180, confidence: 5 },
    });
    expect(wrong.log).to.include('turn+global');
    expect(wrong.reading.rotation).to.equal(0);
    expect(wrong.reading.confidence).to.equal(0.8);
  });

  it('makes a page with vertical lines upright without a further pass', async () => {
    const down = aReading(0.95);
    const words = down.words.map((word, i) => ({
      ...word,
      bbox: [800 - word.line * 60, 100 + (i % 3) * 200, 830 - word.line * 60, 250 + (i % 3) * 200] as const,
    }));
    const { reading, log } = await play({ read: () => ({ ...down, words }) });
    expect(log).to.deep.equal(['global']);
    expect(reading).to.deep.include({ rotation: 270, width: 1400, height: 1000, passes: 1 });
    expect(reading.words[0]?.bbox).to.deep.equal([100, 170, 250, 200]);
  });

  it('straightens skewed lines even if all words are confident, because unread words have no confidence', async () => {
    const { reading, log } = await play({
      signs: { ...QUIET, skewDegrees: 3 },
      read: (_image, _request, steps) =>
        steps.length > 0 ? { ...aReading(0.95, 'longerletters'), text: 'straight' } : aReading(0.95),
    });
    expect(log).to.deep.equal(['global', 'rotate+global']);
    expect(reading.text).to.equal('straight');
  });

  it('keeps the first result if a variant is not more than 3 % better', async () => {
    const { reading } = await play({
      signs: { ...QUIET, skewDegrees: 3 },
      read: (_image, _request, steps) => ({
        ...aReading(steps.length > 0 ? 0.96 : 0.95),
        text: steps.length > 0 ? 'variant' : 'first',
      }),
    });
    expect(reading.text).to.equal('first');
  });

  it('uses the adaptive threshold on uneven paper', async () => {
    const { reading } = await play({
      signs: { ...QUIET, backgroundRange: 0.4 },
      read: (_image, { threshold }) => aReading(threshold === 'adaptive' ? 0.95 : 0.86),
    });
    expect(reading.confidence).to.equal(0.95);
  });

  it('enlarges small letters and returns boxes on the original page', async () => {
    const { reading, log } = await play({
      read: (_image, _request, steps) =>
        steps.length > 0 ? aReading(0.97, 'letters', 24) : aReading(0.9, 'letters', 12),
    });
    expect(log).to.deep.equal(['global', 'upscale+global']);
    expect(reading).to.deep.include({ width: 1000, height: 1400 });
    expect(reading.words[0]?.bbox).to.deep.equal([50, 50, 125, 62]);
  });

  it('limits the passes over a page that stays doubtful', async () => {
    const { reading, log } = await play({
      signs: { skewDegrees: 4, backgroundRange: 0.5, inkShare: 0.2 },
      orientation: { degrees: 90, confidence: 3 },
      read: (_image, _request, _steps, pass) => aReading(0.6 + pass / 100, 'x'.repeat(pass + 3), 12),
    });
    expect(log.filter((entry) => entry !== 'orientation').length).to.be.at.most(6);
    expect(reading.passes).to.be.at.most(6);
  });

  it('starts no further pass without enough time', async () => {
    const { log } = await play({ read: () => aReading(0.5), signs: { ...QUIET, skewDegrees: 3 }, msAPass: 40_000 });
    expect(log.filter((entry) => entry !== 'orientation')).to.deep.equal(['global']);
  });

  it('keeps the earlier result if a variant fails', async () => {
    const { reading } = await play({
      signs: { ...QUIET, skewDegrees: 3 },
      read: (_image, _request, steps) => {
        if (steps.length > 0) throw new AppError('PAGE_OUT_OF_MEMORY', 'Too large.');
        return aReading(0.95);
      },
    });
    expect(reading.confidence).to.equal(0.95);
  });

  it('throws errors of the first pass, and errors that are unrelated to the page', async () => {
    const timedOut = new AppError('PAGE_TIMED_OUT', 'Too slow.');
    const failing = play({
      read: () => {
        throw timedOut;
      },
    });
    expect(await failing.catch((thrown: unknown) => thrown)).to.equal(timedOut);
    const bug = new TypeError('bug');
    const later = play({
      signs: { ...QUIET, skewDegrees: 3 },
      read: (_image, _request, steps) => {
        if (steps.length > 0) throw bug;
        return aReading(0.95);
      },
    });
    expect(await later.catch((thrown: unknown) => thrown)).to.equal(bug);
  });

  it('cleans the text and drops words that become empty', async () => {
    const dirty = aReading(0.95);
    const words = dirty.words.map((word, i) => ({ ...word, text: i === 0 ? '\u0000\u0001' : 'a\u0000b' }));
    const { reading } = await play({ read: () => ({ ...dirty, text: 'a\u0000b\r\nc\n\n', words }) });
    expect(reading.text).to.equal('ab\nc');
    expect(reading.words.map((word) => word.text)).to.deep.equal(['ab', 'ab', 'ab', 'ab', 'ab']);
  });
});
