// Does every accepted mail arrive exactly once after an outage of the mail server? Usage:
//   node --conditions=@palimpsest/source test/trials/mail-outage.ts [SECONDS] [MAILS]
// Registers users while the SMTP port is closed, starts a server there after SECONDS (60), and counts the mails.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestSmtpServer } from '../../hosts/api/test/test-smtp-server.ts';
import { freePort, ServiceProcess, until } from './service-process.ts';

const [seconds = 60, mails = 5] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'palimpsest-outage-'));
const port = await freePort();
const service = new ServiceProcess(folder, await freePort(), {
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  TRUST_PROXY: '1',
});
try {
  await service.start();
  for (let i = 0; i < mails; i++) {
    await fetch(`${service.url}/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${i}` },
      body: JSON.stringify({ email: `person${i}@example.org`, password: 'correct horse battery staple' }),
    });
  }
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const smtpServer = await startTestSmtpServer({ port });
  const back = performance.now();
  await until('the mails', async () => (smtpServer.received.length >= mails ? true : undefined), 400_000);
  const waited = Math.round((performance.now() - back) / 1000);
  // Long enough for duplicates to arrive.
  await new Promise((resolve) => setTimeout(resolve, 45_000));
  const recipients = smtpServer.received.flatMap(({ to }) => to);
  console.log(
    `accepted: ${mails}, arrived: ${recipients.length}, different: ${new Set(recipients).size}, the last ${waited} s after the start of the server`,
  );
  process.exitCode = recipients.length === mails && new Set(recipients).size === mails ? 0 : 1;
  await smtpServer.close();
} finally {
  await service.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
