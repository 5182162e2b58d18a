import { expect } from 'chai';
import { findLanguageModel, findOrientationModel, parseLanguages } from '../src/languages.ts';
import { parseTsv } from '../src/parse-tsv.ts';

describe('parseLanguages', () => {
  it('takes codes joined by +, each once', () => {
    expect(parseLanguages('eng')).to.deep.equal(['eng']);
    expect(parseLanguages('eng+chi_sim+eng')).to.deep.equal(['eng', 'chi_sim']);
  });

  it('takes nothing that could leave a folder or a package name', () => {
    for (const text of ['', '.', '..', 'eng/..', '../eng', 'eng+', '+', 'a\nb', 'eng\0', 'é', '@x/y', 'eng.gz', 'a'.repeat(201)]) {
      expect(parseLanguages(text), JSON.stringify(text)).to.equal(undefined);
    }
  });
});

describe('the models', () => {
  it('are found in the packages that are installed', async () => {
    expect(await findLanguageModel('eng')).to.match(/eng\.traineddata\.gz$/);
    expect(await findOrientationModel()).to.match(/osd\.traineddata\.gz$/);
  });

  it('are absent for a language that is not installed', async () => {
    expect(await findLanguageModel('no_such_language')).to.equal(undefined);
  });
});

describe('parseTsv', () => {
  it('numbers lines and blocks through the page and leaves out what is no word', () => {
    const rows = [
      '2\t1\t1\t0\t0\t0\t0\t0\t9\t9\t-1\t',
      '5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t95.5\tone',
      '5\t1\t1\t1\t1\t2\t50\t20\t30\t40\t80\ttwo',
      '5\t1\t1\t2\t1\t1\t10\t90\t30\t40\t0\t ',
      '5\t1\t1\t2\t2\t1\t10\t90\t30\t40\t0\tthree',
      '5\t1\t3\t1\t1\t1\t10\t190\t30\t40\t101\tfour',
    ];
    expect(parseTsv(`${rows.join('\n')}\n`)).to.deep.equal([
      { text: 'one', confidence: 0.955, bbox: [10, 20, 40, 60], line: 0, block: 0 },
      { text: 'two', confidence: 0.8, bbox: [50, 20, 80, 60], line: 0, block: 0 },
      { text: 'three', confidence: 0, bbox: [10, 90, 40, 130], line: 1, block: 0 },
      { text: 'four', confidence: 1, bbox: [10, 190, 40, 230], line: 2, block: 1 },
    ]);
  });
});
