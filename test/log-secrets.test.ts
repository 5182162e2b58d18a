import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { textPdf } from '../hosts/api/test/samples.ts';
import { freePort, ServiceProcess, until } from './trials/service-process.ts';

const PASSWORD = 'canary-password-4711';
const TEXT = 'canaryintext4712 and more words so that the layer counts';
const FILENAME = 'canary-name-4713.pdf';

describe('the log', () => {
  it('holds one JSON object in each line, and no password, token, text or file name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-log-'));
    const service = new ServiceProcess(folder, await freePort(), { LOG_LEVEL: 'trace' });
    try {
      await service.start();
      const post = (path: string, body: string): Promise<Response> =>
        fetch(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const credentials = JSON.stringify({ email: 'canary-mail-4714@example.org', password: PASSWORD });
      await post('/v1/auth/register', credentials);
      await post('/v1/auth/login', credentials.slice(0, -1));
      await post('/v1/auth/login', credentials.replace(PASSWORD, `${PASSWORD}x`));
      const tokens = (await (await post('/v1/auth/login', credentials)).json()) as { access_token: string; refresh_token: string };
      const authorization = `Bearer ${tokens.access_token}`;
      const form = new FormData();
      form.set('file', new Blob([textPdf(TEXT) as Uint8Array<ArrayBuffer>]), FILENAME);
      const uploaded = await fetch(`${service.url}/v1/documents`, { method: 'POST', headers: { authorization }, body: form });
      const { document } = (await uploaded.json()) as { document: { id: string } };
      await until(
        'completion',
        async () => {
          const detail = await fetch(`${service.url}/v1/documents/${document.id}`, { headers: { authorization } });
          return ((await detail.json()) as { ocr: unknown }).ocr === null ? undefined : true;
        },
        30_000,
      );
      await fetch(`${service.url}/v1/documents?token=${tokens.access_token}`, { headers: { authorization: `${authorization}x`, 'x-request-id': 'a\tb' } });
      await service.kill('SIGTERM');
      const log = await readFile(service.logFile, 'utf8');
      const secrets = [PASSWORD, TEXT.slice(0, 16), FILENAME, 'canary-mail-4714', tokens.access_token, tokens.refresh_token];
      for (const secret of secrets) expect(log.includes(secret), secret.slice(0, 20)).to.equal(false);
      const lines = log.trimEnd().split('\n');
      expect(lines.length).to.be.greaterThan(5);
      for (const line of lines) expect(JSON.parse(line)).to.have.property('msg');
    } finally {
      await service.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
