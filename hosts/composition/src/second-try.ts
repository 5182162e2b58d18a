import { isAppError, type RasterDocument, type Rasterizer } from '@palimpsest/core';

const isDamage = (error: unknown): boolean => isAppError(error, 'DOCUMENT_DAMAGED', 'DOCUMENT_WITHOUT_PAGES');

const openedOrNot = (
  rasterizer: Rasterizer,
  ...given: Parameters<Rasterizer['open']>
): Promise<RasterDocument | undefined> =>
  rasterizer.open(...given).catch((error: unknown) => {
    if (isDamage(error)) return undefined;
    throw error;
  });

/**
 * A rasterizer that is `first`, and `second` for what `first` finds damaged, a file or a page of it: readers of PDF repair
 * different faults. If both find it damaged, the error is that of `first`. A password, a limit or a crash is no damage.
 * A page is only left to `second` if it finds as many pages in the file, as it may number them otherwise.
 */
export const withSecondTry = (first: Rasterizer, second: Rasterizer): Rasterizer => ({
  mediaTypes: first.mediaTypes,
  open: async (file, limits, signal) => {
    let document: RasterDocument;
    try {
      document = await first.open(file, limits, signal);
    } catch (error) {
      const other = isDamage(error) ? await openedOrNot(second, file, limits, signal) : undefined;
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
          const other = await (opening ??= openedOrNot(second, file, limits, signal));
          if (other?.pageCount !== pageCount) throw error;
          return await other.render(...page).catch((secondError: unknown) => {
            throw isDamage(secondError) ? error : secondError;
          });
        }
      },
      close: async () => {
        await document.close();
        // What could not be opened has nothing to close; the page that asked for it has the error.
        await opening?.then(
          (other) => other?.close(),
          () => undefined,
        );
      },
    };
  },
});
