import { expect } from 'chai';
import { Rows, type Row } from './rows.ts';
import { asJson, markdownTable, plainTable } from './table.ts';

const rowsOf = (...given: readonly (Partial<Omit<Row, 'reasons'>> & { reasons?: readonly string[] })[]): Rows => {
  const rows = new Rows();
  for (const {
    reasons = [],
    port = 'MailLedger',
    adapter = 'MemoryMailLedger',
    backend = 'embedded',
    ...counts
  } of given) {
    const row = rows.at({ port, adapter, backend });
    Object.assign(row, counts);
    for (const reason of reasons) row.reasons.add(reason);
  }
  return rows;
};

const sample = (): Rows =>
  rowsOf(
    {
      adapter: 'MongoMailLedger',
      backend: 'mongo:8 | replica set',
      planned: 12,
      pending: 12,
      reasons: ['there is no Docker here'],
    },
    {
      adapter: 'MongoMailLedger',
      backend: 'mongo:8 standalone',
      planned: 12,
      pending: 12,
      reasons: ['there is no Docker here'],
    },
    { planned: 12, passed: 10, pending: 2, reasons: ['memory ends with its process', 'there is no Docker here'] },
    { port: 'BlobStore', adapter: 'GcsBlobStore', backend: 'gcs', planned: 20, passed: 3, failed: 2 },
  );

describe('the table of contract tests', () => {
  it('has a row for each port, adapter and backend, and lists each reason once', () => {
    expect(plainTable(sample())).to.equal(
      `port        adapter           backend                passed  failed   pending  not run
--------------------------------------------------------------------------------------
BlobStore   GcsBlobStore      gcs                         3       2         -       15
MailLedger  MemoryMailLedger  embedded                   10       -  2 (1, 2)        -
MailLedger  MongoMailLedger   mongo:8 | replica set       -       -    12 (2)        -
MailLedger  MongoMailLedger   mongo:8 standalone          -       -    12 (2)        -

(1) memory ends with its process
(2) there is no Docker here

13 passed, 2 failed, 26 pending, 15 not run
`,
    );
  });

  it('escapes Markdown in its cells', () => {
    const text = markdownTable(sample());
    expect(text).to.include('| MailLedger | MongoMailLedger | mongo:8 \\| replica set | - | - | 12 (2) | - |');
    expect(text).to.include('| --- | --- | --- | ---: | ---: | ---: | ---: |');
    expect(text)
      .to.include('\n1. memory ends with its process\n2. there is no Docker here\n')
      .and.to.include('**13 passed, 2 failed, 26 pending, 15 not run**');
    expect(markdownTable(rowsOf({ passed: 1, planned: 1, adapter: '<b>\n`x`' }))).to.include('| \\<b\\> \\`x\\` |');
  });

  it('is written as JSON with totals', () => {
    const { rows, totals } = JSON.parse(asJson(sample())) as { rows: Record<string, unknown>[]; totals: unknown };
    expect(totals).to.deep.equal({ passed: 13, failed: 2, pending: 26, notRun: 15 });
    expect(rows[1]).to.deep.include({
      adapter: 'MemoryMailLedger',
      passed: 10,
      pending: 2,
      reasons: ['memory ends with its process', 'there is no Docker here'],
    });
  });

  it('counts no test as not run if a hook failed after all tests', () => {
    expect(rowsOf({ planned: 1, passed: 1, failed: 1 }).totals()).to.deep.equal({
      passed: 1,
      failed: 1,
      pending: 0,
      notRun: 0,
    });
  });
});
