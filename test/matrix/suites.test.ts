import { resolve } from 'node:path';
import { expect } from 'chai';
import Mocha, { type Suite } from 'mocha';
import { contractFiles, filesInvolving, ports } from './files.ts';
import { dropContracts, keepContracts, keepServices, rowKeyOf, reasonFor, onlyStatesReason } from './suites.ts';

const root = resolve(import.meta.dirname, '../..');

const suite = (parent: Suite, title: string, ...tests: readonly string[]): Suite => {
  const made = Mocha.Suite.create(parent, title);
  for (const name of tests) made.addTest(new Mocha.Test(name, () => undefined));
  return made;
};

const titlesIn = (tree: Suite): readonly string[] => {
  const titles: string[] = [];
  tree.eachTest((test: Mocha.Test) => void titles.push(test.fullTitle().trim()));
  return titles;
};

describe('the row of a test in the table', () => {
  let tree: Suite;
  let ledger: Suite;

  beforeEach(() => {
    tree = new Mocha.Suite('');
    const mongo = suite(tree, 'MongoDB');
    const server = suite(mongo, 'on mongo:8 standalone', 'has indexes of its own');
    ledger = suite(server, 'MongoMailLedger, a MailLedger', 'keeps mails');
    suite(ledger, 'with a second handle on the same store', 'sees the changes of the other');
    suite(server, 'MongoAccountRepository, an AccountRepository', 'keeps accounts');
    suite(server, 'MongoAccountRepository, closed accounts', 'lists closed accounts');
    suite(tree, 'MemoryMailLedger, a MailLedger', 'keeps mails');
    suite(tree, 'another suite', 'has an own test').file = `${root}/adapters/mongodb/test/x.test.ts`;
  });

  const rowOfTest = (title: string) => {
    let row: unknown;
    tree.eachTest((test: Mocha.Test) => {
      if (test.fullTitle().endsWith(title)) row = rowKeyOf(test.parent, ports, root);
    });
    return row;
  };

  it('is named by its contract suite and its backend', () => {
    const backend = 'mongo:8 standalone';
    expect(rowOfTest('sees the changes of the other')).to.deep.equal({
      port: 'MailLedger',
      adapter: 'MongoMailLedger',
      backend,
    });
    expect(rowOfTest('lists closed accounts')).to.deep.equal({
      port: 'AccountRepository',
      adapter: 'MongoAccountRepository',
      backend,
    });
    expect(rowOfTest('MemoryMailLedger, a MailLedger keeps mails')).to.deep.equal({
      port: 'MailLedger',
      adapter: 'MemoryMailLedger',
      backend: 'embedded',
    });
    expect(rowOfTest('has an own test')).to.deep.equal({
      port: '(own tests)',
      adapter: 'mongodb',
      backend: 'embedded',
    });
  });

  it('keeps only contract suites with keepContracts', () => {
    keepContracts(tree, ports);
    expect(titlesIn(tree)).to.have.length(5).and.not.to.include('another suite has an own test');
    expect(titlesIn(tree).join('\n'))
      .to.include('lists closed accounts')
      .and.include('sees the changes of the other')
      .and.not.include('indexes of its own');
  });

  it('removes contract suites with all their parts with dropContracts', () => {
    dropContracts(tree, ports);
    expect(titlesIn(tree)).to.deep.equal([
      'MongoDB on mongo:8 standalone has indexes of its own',
      'another suite has an own test',
    ]);
  });

  it('keeps only the suites of a service with keepServices', () => {
    keepServices(tree, new Set(['mongodb']));
    expect(titlesIn(tree)).to.deep.equal([]);
  });

  it('states the reason for every pending test of a missing server', () => {
    const skipped = suite(tree, 'Cloud Storage', 'is skipped: no Docker');
    const planned = suite(skipped, 'on gcs');
    planned.pending = true;
    const contract = suite(planned, 'GcsBlobStore, a BlobStore', 'keeps bytes');
    keepContracts(tree, ports);
    const [reason] = skipped.tests;
    const [test] = contract.tests;
    if (reason === undefined || test === undefined) throw new TypeError('The tests were removed');
    expect([onlyStatesReason(reason), onlyStatesReason(test)]).to.deep.equal([true, false]);
    expect([reasonFor(reason), reasonFor(test)]).to.deep.equal(['no Docker', 'no Docker']);
    const [withoutReason] = ledger.tests;
    expect(withoutReason && reasonFor(withoutReason)).to.equal('keeps mails');
  });

  it('finds the test files that call contract suites, and those that use a service', () => {
    expect(ports).to.include.members(['DocumentRepository', 'Mailer', 'WordDiff']);
    const files = contractFiles(root).map((path) => path.slice(root.length + 1).replaceAll('\\', '/'));
    expect(files).to.include.members([
      'adapters/sqlite/test/repositories/contracts.test.ts',
      'hosts/composition/test/contracts.test.ts',
    ]);
    expect(files.filter((path) => path.startsWith('contract-tests/'))).to.deep.equal([]);
    expect(filesInvolving(root, ['mailpit']))
      .to.include(resolve(root, 'adapters/nodemailer/test/mailpit.test.ts'))
      .and.not.include(import.meta.filename);
    expect(() => filesInvolving(root, ['mailpit', 'mongo'])).to.throw(TypeError, 'Unknown service "mongo"');
  });
});
