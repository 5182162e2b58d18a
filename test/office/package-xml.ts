import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** An XML element. `name` includes the prefix. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

/** Parses a namespace-well-formed document. Throws if it is not well-formed. */
export const parseXml = (xml: string): Element => {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  const top = (): Element => open.at(-1) ?? root;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name,
      attributes: Object.fromEntries(Object.values(attributes).map((each) => [each.name, each.value])),
      children: [],
    };
    top().children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => void top().children.push(text));
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [document] = root.children.filter((child) => typeof child !== 'string');
  if (document === undefined) throw new TypeError('The document has no element');
  return document;
};

export const elementsOf = (element: Element, name?: string): readonly Element[] =>
  element.children
    .filter((child) => typeof child !== 'string')
    .filter((child) => name === undefined || child.name === name);

/** All elements with one of these names. */
export const deepElements = (element: Element, ...names: readonly string[]): readonly Element[] =>
  elementsOf(element).flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...deepElements(child, ...names),
  ]);

export const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

/** The parts of an office file. Throws if a part is not well-formed. */
export const parsedParts = (file: Uint8Array): ReadonlyMap<string, Element> => {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return new Map(Object.entries(unzipSync(file)).map(([name, bytes]) => [name, parseXml(utf8.decode(bytes))]));
};

/** The part with this name. Throws if the package does not contain it. */
export const partNamed = (parts: ReadonlyMap<string, Element>, name: string): Element => {
  const part = parts.get(name);
  if (part === undefined) throw new TypeError(`The package has no part ${name}`);
  return part;
};

/** External relationships and parts that contain a program. */
const externalReferences = (parts: ReadonlyMap<string, Element>): readonly string[] =>
  [...parts].flatMap(([name, part]) => [
    ...(/vba|macro|activeX|embeddings/i.test(name) ? [name] : []),
    ...deepElements(part, 'Relationship')
      .filter(
        ({ attributes }) =>
          attributes['TargetMode'] === 'External' || /template|hyperlink|oleObject|vba/i.test(attributes['Type'] ?? ''),
      )
      .map(({ attributes }) => `${name}: ${attributes['Target']}`),
  ]);

/** External references, parts that contain a program, and the names of all elements whose name is in `activeElements`. */
export const activeContent = (
  parts: ReadonlyMap<string, Element>,
  activeElements: readonly string[],
): readonly string[] => [
  ...externalReferences(parts),
  ...[...parts.values()].flatMap((part) => deepElements(part, ...activeElements).map(({ name }) => name)),
];
