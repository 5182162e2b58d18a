import { expect } from 'chai';
import { installedCodes, parseLanguageList } from '../src/installed-languages.ts';

const LIST =
  'List of available languages in "/usr/share/tesseract-ocr/5/tessdata/" (5):\nchi_sim\neng\nosd\nequ\nscript/Latin\n';

describe('parseLanguageList', () => {
  it('returns the model names, without the heading and without names that could be a path or an option', () => {
    expect([...parseLanguageList(LIST)]).to.deep.equal(['chi_sim', 'eng', 'osd', 'equ']);
    expect([...parseLanguageList('a:\r\neng\r\n--psm\n../eng\n\n$(ls)\n')]).to.deep.equal(['eng']);
  });
});

describe('installedCodes', () => {
  const installed = parseLanguageList(LIST);

  it('returns the installed codes without duplicates', () => {
    expect(installedCodes('eng', installed)).to.deep.equal(['eng']);
    expect(installedCodes('eng+chi_sim+eng', installed)).to.deep.equal(['eng', 'chi_sim']);
  });

  it('returns undefined for all other strings, so that they cannot reach a command line', () => {
    for (const language of [
      '',
      '+',
      'eng+',
      'deu',
      'eng+deu',
      'osd',
      'eng+equ',
      'script/Latin',
      ' eng',
      'eng\n',
      'ENG',
      '-l',
      Array(200).fill('eng').join('+'),
    ]) {
      expect(installedCodes(language, installed), JSON.stringify(language)).to.equal(undefined);
    }
  });
});
