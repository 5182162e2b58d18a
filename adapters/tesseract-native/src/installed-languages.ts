// Codes become a part of a command line: nothing but what Tesseract's own names are made of.
const CODE = /^\w{2,40}$/;
const NOT_TO_READ_WITH = ['osd', 'equ']; // orientation, and formulas beside another language
const MAX_LANGUAGES = 10;

/** What `tesseract --list-langs` prints: a heading, then the name of one model a line. */
export const parseLanguageList = (output: string): ReadonlySet<string> =>
  new Set(
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => CODE.test(line)),
  );

/** The codes of a language string, each once, if all of them are installed to read with. */
export const installedCodes = (language: string, installed: ReadonlySet<string>): readonly string[] | undefined => {
  if (language.length > MAX_LANGUAGES * 41) return undefined;
  const codes = [...new Set(language.split('+'))];
  const isReadable = codes.every((code) => installed.has(code) && !NOT_TO_READ_WITH.includes(code));
  return isReadable && codes.length <= MAX_LANGUAGES ? codes : undefined;
};
