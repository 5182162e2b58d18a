const MAX_CELL_LENGTH = 32_767; // UTF-16 units (Microsoft: "Excel specifications and limits")

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

// In the strings of a spreadsheet `_x0041_` stands for A, so an underscore before what looks so is written in the same
// way (ECMA-376 part 1, 22.9.2.19, ST_Xstring).
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '').replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/** The letters of a column, which is counted from 1. */
const columnName = (column: number): string => {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
};

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/**
 * The cells that hold `text`, from this column on; none if it is empty. Each is a string and nothing else, and cuts no
 * surrogate pair.
 */
export function* textCells(firstColumn: number, row: number, text: string, style: number): Generator<string> {
  let start = 0;
  for (let column = firstColumn; start < text.length; column++) {
    let end = Math.min(start + MAX_CELL_LENGTH, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    const string = escaped(text.slice(start, end));
    yield `<c r="${columnName(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${string}</t></is></c>`;
    start = end;
  }
}

/** A cell that holds a number. */
export const numberCell = (column: number, row: number, value: number, style: number): string =>
  `<c r="${columnName(column)}${row}" s="${style}"><v>${value}</v></c>`;
