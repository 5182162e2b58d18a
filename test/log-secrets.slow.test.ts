import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { textPdf } from '../hosts/api/test/samples.ts';
import { freePort, ServiceProcess, until } from './trials/service-process.ts';

const PASSWORD = 'canary-password-4711';
const NEW_PASSWORD = 'canary-new-password-4715';
const TEXT = 'canaryintext4712 and more words so that the layer counts';
const FILENAME = 'canary-name-4713.pdf';

describe('the log', () => {
  it('contains one JSON object per line and no password, token, document text or file name', async () => {
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
      const tokens = (await (await post('/v1/auth/login', credentials)).json()) as {
        access_token: string;
        refresh_token: string;
      };
      const authorization = `Bearer ${tokens.access_token}`;
      const form = new FormData();
      form.set('file', new Blob([textPdf(TEXT) as Uint8Array<ArrayBuffer>]), FILENAME);
      const uploaded = await fetch(`${service.url}/v1/documents`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      });
      const { document } = (await uploaded.json()) as { document: { id: string } };
      await until(
        'completion',
        async () => {
          const detail = await fetch(`${service.url}/v1/documents/${document.id}`, { headers: { authorization } });
          return ((await detail.json()) as { ocr: unknown }).ocr === null ? undefined : true;
        },
        30_000,
      );
      // Uses each kind of token in valid and in invalid requests.
      const outbox = join(folder, 'outbox');
      const mailed = async (subject: string): Promise<string> =>
        until(
          subject,
          async () => {
            for (const name of await readdir(outbox)) {
              const mail = await PostalMime.parse(await readFile(join(outbox, name)));
              if (mail.subject?.includes(subject) && name.endsWith('.eml'))
                return /token=([A-Za-z0-9_-]+)/.exec(mail.text ?? '')?.[1];
            }
            return undefined;
          },
          30_000,
        );
      const verifying = await mailed('Verify');
      await fetch(`${service.url}/verify-email?token=${verifying}`);
      await post('/v1/auth/verify-email', JSON.stringify({ token: verifying }));
      await post('/v1/auth/forgot-password', JSON.stringify({ email: 'canary-mail-4714@example.org' }));
      const resetting = await mailed('Reset');
      await post('/v1/auth/reset-password', JSON.stringify({ token: resetting, password: 'short' }));
      const refreshed = (await (
        await post('/v1/auth/refresh', JSON.stringify({ refresh_token: tokens.refresh_token }))
      ).json()) as { refresh_token: string };
      await post('/v1/auth/refresh', JSON.stringify({ refresh_token: `${refreshed.refresh_token}x` }));
      await fetch(`${service.url}/v1/documents/${document.id}/email`, { method: 'POST', headers: { authorization } });
      await post('/v1/auth/reset-password', JSON.stringify({ token: resetting, password: NEW_PASSWORD }));
      await fetch(`${service.url}/v1/documents?token=${tokens.access_token}`, {
        headers: { authorization: `${authorization}x`, 'x-request-id': 'a\tb' },
      });
      await service.kill('SIGTERM');
      const log = await readFile(service.logFile, 'utf8');
      const secrets = [
        PASSWORD,
        TEXT.slice(0, 16),
        FILENAME,
        'canary-mail-4714',
        tokens.access_token,
        tokens.refresh_token,
        refreshed.refresh_token,
        verifying,
        resetting,
        NEW_PASSWORD,
      ];
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
