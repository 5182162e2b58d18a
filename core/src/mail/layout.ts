/** A part of a mail: a paragraph, a link with a label, or a quotation. */
export type Block = string | { readonly label: string; readonly link: string } | { readonly quote: string };

/** The content of a mail, as text and as HTML. */
export interface Letter {
  readonly subject: string; // one line
  readonly text: string;
  readonly html: string;
}

const MAX_SUBJECT_CHARACTERS = 200;
const RULER = '-'.repeat(60);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const asText = (block: Block): string => {
  if (typeof block === 'string') return block;
  // A quotation is placed between rulers and has no `>` at each line, so that users can copy its text.
  return 'link' in block
    ? `${block.label}:\n${block.link}`
    : `${RULER}\n${block.quote.replace(/\r\n?/g, '\n')}\n${RULER}`;
};

const asHtml = (block: Block): string => {
  if (typeof block === 'string') return `<p>${escaped(block)}</p>`;
  if ('link' in block)
    return `<p><a href="${escaped(block.link)}">${escaped(block.label)}</a><br>${escaped(block.link)}</p>`;
  return `<blockquote style="margin:0;padding-left:1em;border-left:3px solid #ccc;white-space:pre-wrap">${escaped(block.quote)}</blockquote>`;
};

const oneLine = (text: string): string => {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/[\s\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, ' ')
      .trim(),
  ];
  return characters.length <= MAX_SUBJECT_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, MAX_SUBJECT_CHARACTERS - 1).join('')}…`;
};

/** A letter with these parts. Their text is escaped, so that it is never interpreted as HTML. */
export const letter = (subject: string, blocks: readonly Block[]): Letter => ({
  subject: oneLine(subject),
  text: `${blocks.map(asText).join('\n\n')}\n\n-- \nPalimpsest\n`,
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:40em">
${blocks.map(asHtml).join('\n')}
<p style="color:#666">Palimpsest</p>
</body></html>
`,
});
