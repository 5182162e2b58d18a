const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

/** A PDF file with these objects and without a cross-reference table. Readers search the file for the objects. */
export const pdfFile = (...objects: readonly string[]): Uint8Array =>
  bytesOf(`%PDF-1.4\n${objects.join('\n')}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`);

/**
 * A PDF file with a cross-reference table of the objects in `listed`. The table does not mention the objects in `unlisted`:
 * readers that use the table ignore them.
 */
export const pdfFileWithTable = (listed: readonly string[], unlisted: readonly string[]): Uint8Array => {
  const header = '%PDF-1.4\n';
  const body = [...listed, ...unlisted].join('\n');
  const offsets = listed.map(
    (_, i) => header.length + listed.slice(0, i).reduce((sum, { length }) => sum + length + 1, 0),
  );
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = listed.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Root 1 0 R /Size ${size} >>`;
  return bytesOf(`${header}${body}\n${table}\nstartxref\n${header.length + body.length + 1}\n%%EOF\n`);
};

/** A stream object with this content. */
export const pdfStream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
