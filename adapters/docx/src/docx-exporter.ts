import type { DocumentExporter, ExportedText } from '@palimpsest/core';
import { writePackage } from '@palimpsest/office-package';
import type { PackagePart } from '@palimpsest/office-package';
import { BODY_PART, packageFrame } from './package-frame.ts';
import type { PackageFrame } from './package-frame.ts';
import { paragraphXml } from './paragraphs.ts';

function* documentXml({ before, after }: PackageFrame, text: ExportedText): Generator<string> {
  yield before;
  yield* paragraphXml(text);
  yield after;
}

/**
 * Writes Word files with docx. A formatted text has its title as a heading, starts each page on a new page, and keeps
 * its paragraphs. An unformatted text has one paragraph per line.
 */
export class DocxExporter implements DocumentExporter {
  readonly format = 'docx';
  readonly mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  async *write(text: ExportedText): AsyncGenerator<Uint8Array> {
    const frame = await packageFrame(text.heading);
    const body: PackagePart = { name: BODY_PART, content: documentXml(frame, text) };
    yield* writePackage([...frame.leading, body, ...frame.others]);
  }
}
