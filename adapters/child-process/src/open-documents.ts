import type { RasterDocument, Rasterizer } from '@palimpsest/core';

/** Opens a document, as {@link Rasterizer} has it. */
export type OpenDocument = (...args: Parameters<Rasterizer['open']>) => Promise<RasterDocument>;

/** A rasteriser, and what closes the documents that its users left open. */
export interface TrackingRasterizer {
  readonly rasterizer: Rasterizer;
  readonly closeDocuments: () => Promise<void>;
}

/** Makes a rasteriser of what opens documents, and knows which of them are open. */
export const trackDocuments = (mediaTypes: readonly string[], open: OpenDocument): TrackingRasterizer => {
  const documents = new Set<RasterDocument>();
  return {
    rasterizer: {
      mediaTypes,
      open: async (...args) => {
        const document = await open(...args);
        documents.add(document);
        return {
          pageCount: document.pageCount,
          render: (...page) => document.render(...page),
          close: async () => {
            documents.delete(document);
            await document.close();
          },
        };
      },
    },
    closeDocuments: async () => {
      await Promise.all([...documents].map((document) => document.close()));
    },
  };
};
