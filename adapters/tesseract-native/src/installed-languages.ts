// Language codes become arguments of a command line, so only the characters of Tesseract's own names are allowed.
const CODE = /^\w{2,40}$/;
const NOT_LANGUAGES = ['osd', 'equ']; // the models for orientation and for formulas
const MAX_LANGUAGES = 10;

/** Parses the output of `tesseract --list-langs`: a heading, then one model name per line. */
export const parseLanguageList = (output: string): ReadonlySet<string> =>
  new Set(
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => CODE.test(line)),
  );

/** The codes of a language string such as `eng+deu`, without duplicates; `undefined` if a code is not installed. */
export const installedCodes = (language: string, installed: ReadonlySet<string>): readonly string[] | undefined => {
  if (language.length > MAX_LANGUAGES * 41) return undefined;
  const codes = [...new Set(language.split('+'))];
  const isReadable = codes.every((code) => installed.has(code) && !NOT_LANGUAGES.includes(code));
  return isReadable && codes.length <= MAX_LANGUAGES ? codes : undefined;
};
