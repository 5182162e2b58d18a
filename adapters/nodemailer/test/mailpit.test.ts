import { describeMailer, type DeliveredMail } from '@palimpsest/contract-tests';
import { openSmtpMailer } from '../src/smtp-mailer.ts';
import { isDockerHere } from './docker.ts';
import { parsedMail } from './parsed-mail.ts';

const IMAGE = 'axllent/mailpit:v1.27';
const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };

interface Mailpit {
  readonly smtpUrl: string;
  readonly apiUrl: string;
  readonly stop: () => Promise<void>;
}

const startMailpit = async (): Promise<Mailpit> => {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(1025, 8025)
    .withWaitStrategy(Wait.forHttp('/readyz', 8025))
    .withStartupTimeout(60_000)
    .start();
  return {
    smtpUrl: `smtp://${container.getHost()}:${container.getMappedPort(1025)}`,
    apiUrl: `http://${container.getHost()}:${container.getMappedPort(8025)}`,
    stop: async () => void (await container.stop()),
  };
};

const givenMailpit = (): Mailpit | undefined => {
  const { TEST_MAILPIT_SMTP_URL: smtpUrl, TEST_MAILPIT_API_URL: apiUrl } = process.env;
  if (smtpUrl === undefined && apiUrl === undefined) return undefined;
  if (smtpUrl === undefined || apiUrl === undefined) throw new Error('Give both TEST_MAILPIT_SMTP_URL and TEST_MAILPIT_API_URL, or neither');
  return { smtpUrl, apiUrl, stop: async () => {} };
};

/** A Mailpit, or why there is none. */
const findMailpit = async (): Promise<Mailpit | string> => {
  const given = givenMailpit();
  if (given !== undefined) return given;
  if (!(await isDockerHere())) return 'there is no Docker here, and TEST_MAILPIT_SMTP_URL and TEST_MAILPIT_API_URL are not set';
  try {
    return await startMailpit();
  } catch (error) {
    return `Docker is here, but did not start ${IMAGE}: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const call = async (method: string, url: string): Promise<Uint8Array> => {
  const response = await fetch(url, { method });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const deliveredTo = async ({ apiUrl }: Mailpit): Promise<readonly DeliveredMail[]> => {
  const list: { messages: { ID: string }[] } = JSON.parse(Buffer.from(await call('GET', `${apiUrl}/api/v1/messages?limit=100`)).toString());
  return await Promise.all(list.messages.map(async ({ ID }) => await parsedMail(await call('GET', `${apiUrl}/api/v1/message/${ID}/raw`))));
};

const mailpit = await findMailpit();

describe('Mailpit', () => {
  if (typeof mailpit === 'string') {
    it.skip(`is left out: ${mailpit}`);
    return;
  }

  after('stop Mailpit', () => mailpit.stop());

  describeMailer('SmtpMailer with Mailpit', async () => {
    await call('DELETE', `${mailpit.apiUrl}/api/v1/messages`);
    const mailer = openSmtpMailer({ url: mailpit.smtpUrl, from });
    return { subject: { mailer, delivered: () => deliveredTo(mailpit) }, close: () => mailer.close() };
  });
});
