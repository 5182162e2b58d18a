import { escapeXml, splitText } from '@palimpsest/office-package';

const MAX_CELL_LENGTH = 32_767; // UTF-16 units (Microsoft: "Excel specifications and limits")

// In the strings of a spreadsheet, `_x0041_` means A (ECMA-376 part 1, 22.9.2.19, ST_Xstring). Therefore the underscore
// that starts such a sequence is escaped itself.
const escaped = (text: string): string => escapeXml(text).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/** The name of a column, such as `A` for 1. */
const columnName = (column: number): string => {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
};

/**
 * The XML of the string cells that contain `text`: one cell per 32,767 characters, from `firstColumn` to the right;
 * none if the text is empty. A surrogate pair stays in one cell.
 */
export const textCells = (firstColumn: number, row: number, text: string, style: number): readonly string[] =>
  [...splitText(text, MAX_CELL_LENGTH)].map((piece, i) => {
    const reference = `${columnName(firstColumn + i)}${row}`;
    return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(piece)}</t></is></c>`;
  });

/** The XML of a number cell. */
export const numberCell = (column: number, row: number, value: number, style: number): string =>
  `<c r="${columnName(column)}${row}" s="${style}"><v>${value}</v></c>`;
