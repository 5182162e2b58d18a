import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
const MAX_DEPTH = 1000;
const PAGES = PDFName.of('Pages');
const KIDS = PDFName.of('Kids');
const TYPE = PDFName.of('Type');
const PAGE = PDFName.of('Page');
const COUNT = PDFName.of('Count');

/** A page of a file with its own and inherited attributes. */
export interface PageNode {
  readonly dict: PDFDict;
  readonly attributes: Readonly<Partial<Record<(typeof INHERITED)[number], PDFObject>>>;
}

/**
 * The pages of a file in their order, counted as PDFium counts them: every node without kids is a page, even with
 * another type. Stricter readers reject unusual page trees. Therefore this function repairs the types of pages, the page
 * count, kids that are not references, and a tree that consists of a page only.
 */
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
      dict.set(TYPE, PAGE);
      pages.push({ dict, attributes });
      return;
    }
    above.add(dict);
    kids.asArray().forEach((kid, i) => {
      const node = context.lookup(kid);
      if (node === kid) kids.set(i, context.register(node));
      if (node instanceof PDFDict) visit(node, attributes);
    });
    above.delete(dict);
  };
  const catalog = context.lookup(context.trailerInfo.Root);
  const root = catalog instanceof PDFDict ? context.lookup(catalog.get(PAGES)) : undefined;
  if (!(catalog instanceof PDFDict && root instanceof PDFDict)) return pages;
  visit(root, {});
  if (pages[0]?.dict === root) {
    catalog.set(PAGES, context.register(context.obj({ Type: 'Pages', Kids: [catalog.get(PAGES) ?? root], Count: 1 })));
    return pages;
  }
  const count = root.get(COUNT);
  if (!(count instanceof PDFNumber && count.asNumber() === pages.length)) root.set(COUNT, PDFNumber.of(pages.length));
  return pages;
};
