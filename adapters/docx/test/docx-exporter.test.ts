import { buffer } from 'node:stream/consumers';
import { exportedText } from '@palimpsest/core';
import { DocxExporter } from '@palimpsest/docx';
import { expect } from 'chai';
import {
  deepElements,
  elementsOf,
  parsedParts,
  partNamed,
  textOf,
  type Element,
} from '../../../test/office/package-xml.ts';

const partsOf = async (title: string, text: string, formatted: boolean): Promise<ReadonlyMap<string, Element>> =>
  parsedParts(await buffer(new DocxExporter().write(exportedText(title, text, formatted))));

const paragraphsOf = async (text: string, formatted = false): Promise<readonly Element[]> =>
  elementsOf(partNamed(await partsOf('Title', text, formatted), 'word/document.xml')).flatMap((body) =>
    elementsOf(body, 'w:p'),
  );

const names = (elements: readonly Element[]): readonly string[] => elements.map(({ name }) => name);
const propertiesOf = (paragraph: Element): readonly string[] =>
  names(elementsOf(paragraph, 'w:pPr').flatMap((each) => elementsOf(each)));
const isRightToLeft = (paragraph: Element): boolean => propertiesOf(paragraph).includes('w:bidi');

describe('DocxExporter', () => {
  it('starts each page after the first on a new page and separates the lines of a paragraph with line breaks', async () => {
    const [heading, ...paragraphs] = await paragraphsOf('one\ntwo\n\nthree\ffour\n\n\n\nfive\n\f\f\fsix', true);
    expect(heading && propertiesOf(heading)).to.deep.equal(['w:pStyle']);
    const outline = paragraphs.map((paragraph) => [
      textOf(paragraph),
      propertiesOf(paragraph).includes('w:pageBreakBefore'),
      deepElements(paragraph, 'w:br').length,
    ]);
    expect(outline).to.deep.equal([
      ['onetwo', false, 1],
      ['three', false, 0],
      ['four', true, 0],
      ['', false, 0],
      ['', false, 0],
      ['five', false, 0],
      ['', true, 0],
      ['', true, 0],
      ['six', true, 0],
    ]);
  });

  it('writes no page breaks into an unformatted text', async () => {
    const paragraphs = await paragraphsOf('one\ftwo\n\f\fthree');
    expect(paragraphs.map(textOf)).to.deep.equal(['one', 'two', '', '', 'three']);
    expect(paragraphs.flatMap(propertiesOf)).to.deep.equal([]);
  });

  it('writes tabs as tab elements', async () => {
    const [paragraph] = await paragraphsOf('\ta\t\tb ');
    const [run] = paragraph === undefined ? [] : elementsOf(paragraph, 'w:r');
    expect(run && names(elementsOf(run))).to.deep.equal(['w:tab', 'w:t', 'w:tab', 'w:tab', 'w:t']);
  });

  it('writes a line right to left if its first letter is a right-to-left letter', async () => {
    for (const text of ['שלום abc', '123 שלום', '(مرحبا)', '\u200Fabc', 'ܫܠܡܐ', '\u{1E900}\u{1E901}', 'ﷺ', '\u061C1']) {
      const [paragraph] = await paragraphsOf(text);
      expect(paragraph && isRightToLeft(paragraph), text).to.equal(true);
      expect(paragraph && deepElements(paragraph, 'w:rtl'), text).to.have.length(1);
    }
    for (const text of ['abc שלום', '123', '١٢٣', '', '日本 שלום', '\u200Eשלום', '\u05D0'.padStart(5000, '-')]) {
      const [paragraph] = await paragraphsOf(text);
      expect(paragraph && isRightToLeft(paragraph), text).to.equal(false);
      expect(paragraph && deepElements(paragraph, 'w:rtl'), text).to.have.length(0);
    }
  });

  it('gives each line its own direction, and a paragraph the direction of its first line', async () => {
    const [, paragraph, second] = await paragraphsOf('שלום\nabc\n\nabc\nשלום', true);
    expect(paragraph && isRightToLeft(paragraph)).to.equal(true);
    expect(second && isRightToLeft(second)).to.equal(false);
    for (const each of [paragraph, second]) expect(each && deepElements(each, 'w:rtl')).to.have.length(1);
  });

  it('writes only the product name into the properties, and the title only for a formatted text', async () => {
    const core = partNamed(await partsOf('A & B', 'text', true), 'docProps/core.xml');
    const values = Object.fromEntries(elementsOf(core).map((element) => [element.name, textOf(element)]));
    expect(Object.keys(values).sort()).to.deep.equal([
      'cp:lastModifiedBy',
      'cp:revision',
      'dc:creator',
      'dc:title',
      'dcterms:created',
      'dcterms:modified',
    ]);
    expect(values).to.include({
      'dc:title': 'A & B',
      'dc:creator': 'Palimpsest',
      'cp:lastModifiedBy': 'Palimpsest',
      'cp:revision': '1',
    });
    expect(textOf(partNamed(await partsOf('A & B', 'text', false), 'docProps/core.xml'))).to.not.include('A & B');
  });

  it('writes a title that looks like XML of the package as text', async () => {
    const title = '<w:p><w:r><w:t xml:space="preserve">body</w:t></w:r></w:p> body {body} $&';
    const [heading, paragraph] = elementsOf(partNamed(await partsOf(title, 'body', true), 'word/document.xml')).flatMap(
      (body) => elementsOf(body, 'w:p'),
    );
    expect(heading && textOf(heading)).to.equal(title);
    expect(paragraph && textOf(paragraph)).to.equal('body');
  });

  it('defines the style of the heading with an outline level', async () => {
    const styles = deepElements(partNamed(await partsOf('Title', 'text', true), 'word/styles.xml'), 'w:style').filter(
      ({ attributes }) => attributes['w:styleId'] === 'Heading1',
    );
    expect(
      styles.map((style) => deepElements(style, 'w:name').map(({ attributes }) => attributes['w:val'])),
    ).to.deep.equal([['Heading 1']]);
    expect(
      styles.flatMap((style) => deepElements(style, 'w:outlineLvl').map(({ attributes }) => attributes['w:val'])),
    ).to.deep.equal(['0']);
  });
});
