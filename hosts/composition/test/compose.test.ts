import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose } from '../src/compose.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { openLog } from '../src/log.ts';
import { rejectionOf } from '../../../test/expectations.ts';

describe('compose', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-compose-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('refuses OCR_LANGUAGES whose data is not installed and names the package to install', async () => {
    const config = readConfig({ DATA_DIR: folder, OCR_LANGUAGES: 'eng+xyz' }, 1);
    try {
      await compose(config, await openLog('silent'));
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      expect(String(error)).to.include('OCR_LANGUAGES').and.include('@tesseract.js-data/xyz');
      return;
    }
    throw new Error('compose did not refuse OCR_LANGUAGES');
  });

  it('keeps the token secret over a restart, and creates a different one for another data folder', async () => {
    const log = await openLog('silent');
    const open = (env: Record<string, string>) => compose(readConfig({ DATA_DIR: folder, ...env }, 1), log);
    const first = await open({});
    const now = first.ports.clock.now();
    const claims = { accountId: first.ports.ids.next(), sessionId: first.ports.ids.next() };
    const token = first.ports.accessTokens.sign(claims, now, now + 60_000_000);
    await first.close();
    const second = await open({});
    expect(second.ports.accessTokens.verify(token, now)).to.deep.equal(claims);
    await second.close();
    const other = await open({ JWT_SECRET: 'another secret of at least 32 bytes' });
    expect(() => other.ports.accessTokens.verify(token, now)).to.throw();
    await other.close();
  });

  for (const [url, why] of [
    ['mongodb://ada:hunter2@', /host/],
    ['mongodb://ada:hunter2@127.0.0.1:port/db', /127\.0\.0\.1:port/],
    ['mongodb://ada:hunter2%@127.0.0.1/db', /malformed/],
    ['mongodb://ada:hun/ter2@127.0.0.1/db', /unescaped/],
    ['mongodb://ada:x@hunter2@127.0.0.1/db', /./],
    ['mongodb://ada:hunter2@127.0.0.1/db?wrong=1', /wrong is not supported/],
    ['mongodb://ada:hunter2@127.0.0.1/db?authMechanism=hunter2', /cannot parse it/],
    ['mongodb+srv://ada:hunter2@a.example.org:27017/db', /port/],
  ] as const) {
    it(`reports the fault of DATABASE_URL=${url} without its password`, async () => {
      const config = readConfig(
        { DATA_DIR: folder, DATABASE_URL: url, JWT_SECRET: 'a secret of at least 32 bytes, for tests' },
        1,
      );
      const error = await rejectionOf(compose(config, await openLog('silent')));
      expect(error).to.be.instanceOf(ConfigError);
      const { message } = error as ConfigError;
      expect(message)
        .to.match(/^DATABASE_URL is not usable: /)
        .and.match(why);
      expect(message).not.to.match(/hunter|ter2/);
    });
  }
});
