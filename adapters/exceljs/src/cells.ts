const MAX_CELL_LENGTH = 32_767; // UTF-16 units (Microsoft: "Excel specifications and limits")

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

// In the strings of a spreadsheet, `_x0041_` means A (ECMA-376 part 1, 22.9.2.19, ST_Xstring). So the underscore before
// such a sequence is escaped in the same way.
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '').replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/** The letters of a column; 1 is A. */
const columnName = (column: number): string => {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
};

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/**
 * The XML of the string cells that contain `text`: one cell per 32,767 characters, from `firstColumn` to the right; none if
 * the text is empty. A surrogate pair stays in one cell.
 */
export const textCells = (firstColumn: number, row: number, text: string, style: number): readonly string[] => {
  const cells: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + MAX_CELL_LENGTH, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    const string = escaped(text.slice(start, end));
    const reference = `${columnName(firstColumn + cells.length)}${row}`;
    cells.push(`<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${string}</t></is></c>`);
  }
  return cells;
};

/** The XML of a number cell. */
export const numberCell = (column: number, row: number, value: number, style: number): string =>
  `<c r="${columnName(column)}${row}" s="${style}"><v>${value}</v></c>`;
