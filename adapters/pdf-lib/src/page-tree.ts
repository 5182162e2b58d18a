import { PDFArray, PDFDict, PDFName, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
const MAX_DEPTH = 1000;
const KIDS = PDFName.of('Kids');

/** A page of a file, with what it has from the nodes of the page tree above it. */
export interface PageNode {
  readonly dict: PDFDict;
  readonly attributes: Readonly<Partial<Record<(typeof INHERITED)[number], PDFObject>>>;
}

/** The pages of a file in their order, as PDFium counts them: a node without kids is a page, whatever it calls itself. */
export const pagesOf = (context: PDFContext): readonly PageNode[] => {
  const pages: PageNode[] = [];
  const above = new Set<PDFDict>();
  const visit = (dict: PDFDict, inherited: PageNode['attributes']): void => {
    if (above.has(dict) || above.size > MAX_DEPTH) return;
    const own = INHERITED.flatMap((key) => {
      const value = dict.get(PDFName.of(key));
      return value === undefined ? [] : [[key, value] as const];
    });
    const attributes = { ...inherited, ...Object.fromEntries(own) };
    const kids = context.lookup(dict.get(KIDS));
    if (!(kids instanceof PDFArray)) {
      pages.push({ dict, attributes });
      return;
    }
    above.add(dict);
    for (const kid of kids.asArray()) {
      const node = context.lookup(kid);
      if (node instanceof PDFDict) visit(node, attributes);
    }
    above.delete(dict);
  };
  const catalog = context.lookup(context.trailerInfo.Root);
  const root = catalog instanceof PDFDict ? context.lookup(catalog.get(PDFName.of('Pages'))) : undefined;
  if (root instanceof PDFDict) visit(root, {});
  return pages;
};
