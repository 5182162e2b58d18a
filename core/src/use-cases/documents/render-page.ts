import type { CompletedDocument } from '../../document/document.ts';
import type { ViewSettings } from '../../document/view-settings.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { turnedSize } from '../../recognition/geometry.ts';
import type { PreparationStep } from '../../recognition/image-preparation.ts';
import type { GreyImage, PageWithoutWords } from '../../recognition/page.ts';
import type { Cancellation } from '../../units.ts';
import { findPage } from './find-page.ts';
import { viewOriginal } from './view-original.ts';

/** An image of a page, not rendered yet. */
export interface PageImage {
  readonly mediaType: string;
  readonly version: string; // equal versions mean equal images
  /** Renders the image. Throws `FILE_NOT_STORED`, `PAGE_NOT_RENDERABLE` or `RATE_LIMITED`. */
  render(signal: Cancellation): Promise<Uint8Array>;
}

/** The steps from the rendered page to the image that was recognized: upright, and of the same size. */
const preparationOf = (page: PageWithoutWords, rendered: GreyImage): readonly PreparationStep[] => [
  ...(page.rotation === 0 ? [] : [{ kind: 'turn', degrees: page.rotation } as const]),
  // The size differs if the limits were changed after the recognition.
  ...(turnedSize(rendered, page.rotation).height === page.height
    ? []
    : [{ kind: 'scale', height: page.height } as const]),
];

/**
 * An image of a page as it was recognized: upright and grey, in the pixels that the boxes of its words refer to. Throws
 * `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED` or `PAGE_NOT_FOUND`.
 */
export const renderPage = (
  ports: Pick<Ports, 'documents' | 'pages' | 'blobs' | 'checksums' | 'rasterizers' | 'imagePreparer' | 'pageImages'>,
  settings: ViewSettings,
) => {
  const { rasterizers, imagePreparer, pageImages } = ports;
  const { maxPixels, pageTimeoutMs } = settings;
  const view = viewOriginal(ports, settings);
  const limits = { maxPixels, timeoutMs: pageTimeoutMs };

  const rasterize = async (
    document: CompletedDocument,
    number: number,
    file: Uint8Array,
    signal: Cancellation,
  ): Promise<GreyImage> => {
    const rasterizer = rasterizers.find(({ mediaTypes }) => mediaTypes.includes(document.mediaType));
    if (!rasterizer) throw new TypeError(`No rasterizer supports ${document.mediaType}`);
    const opened = await rasterizer.open(file, limits, signal);
    try {
      return await opened.render(number, limits, signal);
    } finally {
      await opened.close();
    }
  };

  return async (actor: Actor, id: string, number: number): Promise<PageImage> => {
    const { document, page } = await findPage(ports)(actor, id, number);
    return {
      mediaType: pageImages.mediaType,
      version: `${document.sha256}-${page.number}-${page.rotation}-${page.width}x${page.height}`,
      render: (signal) =>
        view(document, signal, async (file) => {
          const rendered = await rasterize(document, page.number, file, signal);
          const steps = preparationOf(page, rendered);
          const image =
            steps.length === 0 ? rendered : await imagePreparer.prepare(rendered, steps, pageTimeoutMs, signal);
          return pageImages.encode(image, pageTimeoutMs, signal);
        }),
    };
  };
};
