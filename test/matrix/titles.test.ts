import { expect } from 'chai';
import { backendOf, isNeedOfServer, isPartOf, reasonOf, subjectOf } from './titles.ts';

const ports = new Set(['MailLedger', 'AccountRepository', 'TextLayerReader', 'SecretTokens', 'OcrEngine']);

describe('the titles of contract suites', () => {
  it('name the adapter and the port', () => {
    expect(subjectOf('SqliteMailLedger, a MailLedger', ports)).to.deep.equal({
      adapter: 'SqliteMailLedger',
      port: 'MailLedger',
    });
    expect(subjectOf('MongoAccountRepository, an AccountRepository', ports)).to.deep.equal({
      adapter: 'MongoAccountRepository',
      port: 'AccountRepository',
    });
    expect(subjectOf('Tesseract, as a child, an OcrEngine', ports)).to.deep.equal({
      adapter: 'Tesseract, as a child',
      port: 'OcrEngine',
    });
    expect(subjectOf('Files on a disk, a MailLedger', ports)).to.have.property('adapter', 'Files on a disk');
  });

  it('may name a part of the port', () => {
    for (const title of ['X, an OcrEngine of receipts', 'X, an OcrEngine, with long texts'])
      expect(subjectOf(title, ports)).to.deep.equal({ adapter: 'X', port: 'OcrEngine' });
  });

  it('are distinguished from other titles', () => {
    for (const title of [
      '',
      'SqliteMailLedger',
      'a MailLedger',
      'X, a Ledger',
      'X as a MailLedger',
      'x as mailLedger',
      'The MailLedger',
    ]) {
      expect(subjectOf(title, ports), title).to.equal(undefined);
    }
  });

  it('mark further parts of the same adapter', () => {
    const subject = { adapter: 'SqliteAccountRepository', port: 'AccountRepository' };
    expect(isPartOf('SqliteAccountRepository, closed accounts', subject)).to.equal(true);
    expect(isPartOf('MemoryAccountRepository, closed accounts', subject)).to.equal(false);
    expect(isPartOf('SqliteAccountRepository', subject)).to.equal(false);
  });

  it('name the backend and the reason of a pending suite', () => {
    expect(backendOf('on mongo:8 replica set')).to.equal('mongo:8 replica set');
    expect(backendOf('one of two')).to.equal(undefined);
    expect(reasonOf('is skipped: there is no Docker here')).to.equal('there is no Docker here');
    expect(reasonOf('is skipped')).to.equal(undefined);
    expect(isNeedOfServer('needs a server: mongodb')).to.equal(true);
    expect(isNeedOfServer('needs a server')).to.equal(false);
  });
});
