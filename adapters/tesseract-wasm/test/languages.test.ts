import { expect } from 'chai';
import { findLanguageModel, findOrientationModel, parseLanguages } from '../src/languages.ts';

describe('parseLanguages', () => {
  it('splits a language string into its codes, without duplicates', () => {
    expect(parseLanguages('eng')).to.deep.equal(['eng']);
    expect(parseLanguages('eng+chi_sim+eng')).to.deep.equal(['eng', 'chi_sim']);
  });

  it('returns undefined for strings that could form another path or package name', () => {
    for (const text of [
      '',
      '.',
      '..',
      'eng/..',
      '../eng',
      'eng+',
      '+',
      'a\nb',
      'eng\0',
      'é',
      '@x/y',
      'eng.gz',
      'a'.repeat(201),
    ]) {
      expect(parseLanguages(text), JSON.stringify(text)).to.equal(undefined);
    }
  });
});

describe('language models', () => {
  it('are found in installed packages', async () => {
    expect(await findLanguageModel('eng')).to.match(/eng\.traineddata\.gz$/);
    expect(await findOrientationModel()).to.match(/osd\.traineddata\.gz$/);
  });

  it('are undefined for a language that is not installed', async () => {
    expect(await findLanguageModel('no_such_language')).to.equal(undefined);
  });
});
