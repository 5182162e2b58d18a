import { expect } from 'chai';
import { ConfigError, describeVariables, readConfig } from '../src/config.ts';
import { variables } from '../src/variables.ts';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env, 2);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('has the documented defaults if no variable is set', () => {
    const config = readConfig({}, 4);
    expect(config).to.include({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      pdfRasterizer: 'auto',
      worker: 'inline',
      workerConcurrency: 4,
      trustProxy: 0,
      logLevel: 'info',
      shutdownTimeoutMs: 30_000,
      jwtSecret: undefined,
    });
    expect(config.database).to.deep.equal({
      kind: 'sqlite',
      file: 'data/palimpsest.db',
      limitsFile: 'data/palimpsest-limits.db',
    });
    expect(config.blobStore).to.deep.equal({ kind: 'file', folder: 'data/blobs' });
    expect(config.ocr).to.deep.equal({
      engine: 'auto',
      languages: 'eng',
      textLayer: 'prefer',
      maxAttempts: 5,
      documentTimeoutMs: 300_000,
      pageTimeoutMs: 60_000,
      maxPages: 500,
      maxPixels: 100_000_000,
    });
  });

  it('stores the data of the embedded defaults in DATA_DIR', () => {
    const config = readConfig({ DATA_DIR: '/srv/palimpsest' }, 2);
    expect(config.database).to.include({
      file: '/srv/palimpsest/palimpsest.db',
      limitsFile: '/srv/palimpsest/palimpsest-limits.db',
    });
    expect(config.blobStore).to.include({ folder: '/srv/palimpsest/blobs' });
  });

  it('accepts paths and URLs for the database and the blob store', () => {
    const { database, blobStore } = readConfig(
      { DATABASE_URL: 'sqlite:/var/x.db', BLOB_STORE_URL: 'file:///var/b%20c' },
      2,
    );
    expect(database).to.include({ kind: 'sqlite', file: '/var/x.db' });
    expect(blobStore).to.deep.equal({ kind: 'file', folder: '/var/b c' });
  });

  it('opens the health port of the worker if WORKER_HEALTH_PORT is set', () => {
    expect(readConfig({}, 2).healthPort).to.equal(undefined);
    expect(readConfig({ WORKER_HEALTH_PORT: '0' }, 2).healthPort).to.equal(0);
  });

  const JWT_SECRET = 'x'.repeat(32);

  it('accepts a MongoDB URL and then requires JWT_SECRET', () => {
    for (const url of [
      'mongodb://db.example.org/ocr',
      'mongodb://u:p@a,b:27018/ocr?replicaSet=rs0',
      'mongodb+srv://cluster.example.org/',
    ]) {
      expect(readConfig({ DATABASE_URL: url, JWT_SECRET }, 2).database).to.deep.equal({ kind: 'mongodb', url });
      expect(faultsOf({ DATABASE_URL: url })).to.have.length(1);
      expect(faultsOf({ DATABASE_URL: url })[0]).to.match(/^JWT_SECRET .*MongoDB/);
    }
  });

  it('accepts a Google Cloud Storage bucket, and the address of an emulator', () => {
    const url = 'gs://scans-of-example.org/ocr/live';
    expect(readConfig({ BLOB_STORE_URL: url }, 2).blobStore).to.deep.equal({ kind: 'gs', url, emulator: undefined });
    for (const [given, emulator] of [
      ['localhost:9199', 'http://localhost:9199'],
      ['http://127.0.0.1:9199/', 'http://127.0.0.1:9199'],
      ['https://storage.test', 'https://storage.test'],
    ] as const) {
      expect(readConfig({ BLOB_STORE_URL: 'gs://scans', STORAGE_EMULATOR_HOST: given }, 2).blobStore).to.include({
        emulator,
      });
    }
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', OCR_LANGUAGES: '' }, 2)).to.include({ port: 3000 });
  });

  it('derives PUBLIC_URL from PORT and removes a trailing slash', () => {
    expect(readConfig({ PORT: '8080' }, 2).publicUrl).to.equal('http://localhost:8080');
    expect(readConfig({ PUBLIC_URL: 'https://ocr.example.org/x/' }, 2).publicUrl).to.equal('https://ocr.example.org/x');
  });

  it('reports all invalid variables at once, each in one line with its name and the allowed values', () => {
    const faults = faultsOf({ PORT: '70000', OCR_TEXT_LAYER: 'maybe', JWT_SECRET: 'short', WORKER_CONCURRENCY: '0' });
    expect(faults).to.have.length(4);
    expect(faults.join('\n'))
      .to.match(/^PORT .*0 to 65535/m)
      .and.match(/^OCR_TEXT_LAYER .*prefer or ignore/m);
    expect(faults.every((fault) => !fault.includes('\n'))).to.equal(true);
  });

  it('accepts SMTP_URL and MAIL_FROM, and writes mails to the outbox folder without SMTP_URL', () => {
    expect(readConfig({ DATA_DIR: '/srv/p' }, 2).mail).to.deep.equal({
      smtpUrl: undefined,
      from: { name: 'Palimpsest', address: 'no-reply@localhost' },
      outboxFolder: '/srv/p/outbox',
    });
    for (const url of [
      'smtp://mail.example.org',
      'smtps://user:pass@mail.example.org:465',
      'smtp://127.0.0.1:2525?requireTLS=true',
      'smtp://[::1]:25/',
    ]) {
      expect(readConfig({ SMTP_URL: url }, 2).mail.smtpUrl).to.equal(url);
    }
    for (const [text, name, address] of [
      ['ocr@example.org', '', 'ocr@example.org'],
      ['<ocr@example.org>', '', 'ocr@example.org'],
      ['Ocr Desk <ocr@example.org>', 'Ocr Desk', 'ocr@example.org'],
      ['"Desk, Ocr" <ocr@example.org>', 'Desk, Ocr', 'ocr@example.org'],
      ['Büro <ocr@localhost>', 'Büro', 'ocr@localhost'],
    ] as const) {
      expect(readConfig({ MAIL_FROM: text }, 2).mail.from, text).to.deep.equal({ name, address });
    }
  });

  it('stores the rate counters in a file beside the database', () => {
    expect(readConfig({ DATA_DIR: '/srv/p' }, 2).database).to.include({ limitsFile: '/srv/p/palimpsest-limits.db' });
    expect(readConfig({ DATABASE_URL: 'sqlite:/var/x' }, 2).database).to.include({ limitsFile: '/var/x-limits.db' });
  });

  it('does not show an invalid secret in the error', () => {
    expect(
      faultsOf({
        JWT_SECRET: 'hunter2',
        SMTP_URL: 'smpt://user:hunter2@example.org',
        DATABASE_URL: 'mongo://u:hunter2@db',
      }).join(),
    ).not.to.include('hunter2');
  });

  const refused: readonly (readonly [string, string])[] = [
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '0x10'],
    ['PORT', ' 80'],
    ['OCR_LANGUAGES', '../eng'],
    ['OCR_LANGUAGES', 'eng;id'],
    ['OCR_LANGUAGES', 'eng++deu'],
    ['DATABASE_URL', 'mysql://x'],
    ['BLOB_STORE_URL', 's3://x'],
    ['BLOB_STORE_URL', 'gs://'],
    ['BLOB_STORE_URL', 'gs://Scans'],
    ['BLOB_STORE_URL', 'gs://scans//x'],
    ['BLOB_STORE_URL', 'gs://scans/a b'],
    ['STORAGE_EMULATOR_HOST', 'http://localhost:9199/storage'],
    ['STORAGE_EMULATOR_HOST', 'ftp://localhost'],
    ['STORAGE_EMULATOR_HOST', 'two words'],
    ['WORKER_HEALTH_PORT', '65536'],
    ['WORKER_HEALTH_PORT', 'x'],
    ['OCR_ENGINE', 'tesseract'],
    ['PDF_RASTERIZER', 'ghostscript'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://x.org/?a=b'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://x.org/path'],
    ['SMTP_URL', 'mail.example.org:25'],
    ['SMTP_URL', 'http://mail.example.org'],
    ['SMTP_URL', 'smtp://mail.example.org/path'],
    ['SMTP_URL', 'smtp:'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'O <a[b]@example.org>'],
    ['MAIL_FROM', 'Ärger <größe@example.org>'],
    ['MAIL_FROM', 'gpj\u202Etxt <a@example.org>'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['MAIL_FROM', 'A <a@example.org> <b@example.org>'],
    ['MAIL_FROM', 'A <a@example.org>\r\nBcc: <b@example.org>'],
    ['TRUST_PROXY', 'true'],
    ['SHUTDOWN_TIMEOUT_S', '1e3'],
  ];
  for (const [name, value] of refused) {
    it(`refuses ${name}=${value}`, () => {
      expect(faultsOf({ [name]: value })).to.have.length(1);
      expect(faultsOf({ [name]: value })[0]).to.include(name);
    });
  }

  it('describes every variable in the --help table', () => {
    const text = describeVariables(2);
    for (const { name } of Object.values(variables(2))) expect(text).to.include(name);
  });
});
