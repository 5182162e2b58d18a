import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SEND_MAIL_JOB } from '@palimpsest/core';
import { freePort, ServiceProcess, until } from '../../../../test/trials/service-process.ts';
import { PASSWORD, startService } from '../service.ts';
import { startTestSmtpServer, type TestSmtpServer } from '../test-smtp-server.ts';
import { eventually } from '../../../../test/expectations.ts';

describe('an SMTP server that is unavailable', () => {
  it('an accepted e-mail is delivered once after the SMTP server is available again', async () => {
    const port = await freePort();
    const service = await startService({ worker: true, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    let smtpServer: TestSmtpServer | undefined;
    try {
      const { email } = await service.signUp();
      // The job waits again after its first failed attempt.
      await eventually(async () => service.waitingJobs(SEND_MAIL_JOB) === 1);
      smtpServer = await startTestSmtpServer({ port });
      const { received } = smtpServer;
      await eventually(async () => received.length > 0);
      await eventually(async () => service.waitingJobs(SEND_MAIL_JOB) === 0);
      expect(received.map(({ to }) => to)).to.deep.equal([[email]]);
    } finally {
      await service.close();
      await smtpServer?.close();
    }
  });

  it('an e-mail is delivered once after the process is killed while the SMTP server hangs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-mail-'));
    const port = await freePort();
    const hanging = createServer(() => {}).listen(port, '127.0.0.1');
    const service = new ServiceProcess(folder, await freePort(), { SMTP_URL: `smtp://127.0.0.1:${port}` });
    let smtpServer: TestSmtpServer | undefined;
    try {
      await service.start();
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ email: 'killed@example.org', password: PASSWORD });
      expect((await fetch(`${service.url}/v1/auth/register`, { method: 'POST', headers, body })).status).to.equal(202);
      await service.kill('SIGKILL');
      hanging.close();
      smtpServer = await startTestSmtpServer({ port });
      const { received } = smtpServer;
      await service.start();
      await until('the mail', async () => (received.length > 0 ? true : undefined), 300_000);
      expect(received.map(({ to }) => to)).to.deep.equal([['killed@example.org']]);
      const token = /token=([A-Za-z0-9_-]+)/.exec(received[0]?.mail.text ?? '')?.[1] ?? 'none';
      expect(
        (
          await fetch(`${service.url}/v1/auth/verify-email`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ token }),
          })
        ).status,
      ).to.equal(200);
      await service.kill('SIGTERM');
      const log = await readFile(service.logFile, 'utf8');
      expect(log).not.to.include(token);
      expect(log).not.to.include('killed@example.org');
    } finally {
      await service.kill('SIGKILL');
      hanging.close();
      await smtpServer?.close();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(360_000);
});
