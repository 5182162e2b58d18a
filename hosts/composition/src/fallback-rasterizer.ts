import { isAppError, type RasterDocument, type Rasterizer } from '@palimpsest/core';

const isDamage = (error: unknown): boolean => isAppError(error, 'DOCUMENT_DAMAGED', 'DOCUMENT_WITHOUT_PAGES');

const openUnlessDamaged = (
  rasterizer: Rasterizer,
  ...given: Parameters<Rasterizer['open']>
): Promise<RasterDocument | undefined> =>
  rasterizer.open(...given).catch((error: unknown) => {
    if (isDamage(error)) return undefined;
    throw error;
  });

/**
 * Renders with `first`, and with `second` if `first` reports a file or a page as damaged, because PDF programs repair
 * different faults. If both report damage, the error of `first` is thrown. A password, a limit or a crash is not
 * damage. `second` renders a single page only if it finds the same number of pages as `first`; otherwise the page
 * numbers may differ.
 */
export const withFallback = (first: Rasterizer, second: Rasterizer): Rasterizer => ({
  mediaTypes: first.mediaTypes,
  open: async (file, limits, signal) => {
    let document: RasterDocument;
    try {
      document = await first.open(file, limits, signal);
    } catch (error) {
      const other = isDamage(error) ? await openUnlessDamaged(second, file, limits, signal) : undefined;
      if (other) return other;
      throw error;
    }
    const { pageCount } = document;
    let opening: Promise<RasterDocument | undefined> | undefined;
    return {
      pageCount,
      render: async (...page) => {
        try {
          return await document.render(...page);
        } catch (error) {
          if (!isDamage(error)) throw error;
          const other = await (opening ??= openUnlessDamaged(second, file, limits, signal));
          if (other?.pageCount !== pageCount) throw error;
          return await other.render(...page).catch((secondError: unknown) => {
            throw isDamage(secondError) ? error : secondError;
          });
        }
      },
      close: async () => {
        await document.close();
        // If opening failed, there is nothing to close, and the page that needed it has already reported the error.
        await opening?.then(
          (other) => other?.close(),
          () => undefined,
        );
      },
    };
  },
});
