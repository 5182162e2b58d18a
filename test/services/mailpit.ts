import { Wait } from 'testcontainers';
import { onDocker, startContainer } from './containers.ts';
import { describeOnServers, once, oncePerServer, type Service } from './service.ts';

/** A Mailpit server for tests. Tests may delete its mails. */
export interface MailpitServer {
  readonly name: string; // of the backend, for titles: 'axllent/mailpit:v1.27'
  readonly smtpUrl: string;
  readonly apiUrl: string; // http://HOST:PORT
}

const IMAGE = 'axllent/mailpit:v1.27';
const SMTP_PORT = 1025;
const API_PORT = 8025;
const REACH_MS = 5_000;

const startServer = async (): Promise<readonly MailpitServer[]> => {
  const container = await startContainer(IMAGE, (given) =>
    given.withExposedPorts(SMTP_PORT, API_PORT).withWaitStrategy(Wait.forHttp('/readyz', API_PORT)),
  );
  const host = container.getHost();
  return [
    {
      name: IMAGE,
      smtpUrl: `smtp://${host}:${container.getMappedPort(SMTP_PORT)}`,
      apiUrl: `http://${host}:${container.getMappedPort(API_PORT)}`,
    },
  ];
};

/** The servers for tests, or the reason why there is none. */
export const findMailpitServers: () => Promise<readonly MailpitServer[] | string> = once(async () => {
  const { TEST_MAILPIT_SMTP_URL: smtpUrl = '', TEST_MAILPIT_API_URL: apiUrl = '' } = process.env;
  if (smtpUrl !== '' && apiUrl !== '')
    return [{ name: 'TEST_MAILPIT_SMTP_URL', smtpUrl, apiUrl: apiUrl.replace(/\/+$/, '') }];
  if (smtpUrl !== '' || apiUrl !== '')
    throw new Error('Set both TEST_MAILPIT_SMTP_URL and TEST_MAILPIT_API_URL, or neither');
  return await onDocker(IMAGE, 'TEST_MAILPIT_SMTP_URL and TEST_MAILPIT_API_URL are', startServer);
});

/** Sends a request to Mailpit's API. Throws if the response is not successful. */
export const askMailpit = async ({ apiUrl }: MailpitServer, method: string, path: string): Promise<Uint8Array> => {
  const response = await fetch(apiUrl + path, { method, signal: AbortSignal.timeout(REACH_MS) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const mailpit: Service<MailpitServer> = {
  name: 'mailpit',
  planned: [{ name: IMAGE, smtpUrl: 'smtp://mailpit.invalid', apiUrl: 'http://mailpit.invalid' }],
  find: findMailpitServers,
  reach: oncePerServer(async (server) => {
    try {
      await askMailpit(server, 'GET', '/readyz');
    } catch (error) {
      throw new Error(`${server.name} does not answer`, { cause: error });
    }
  }),
};

/** Describes one suite for each Mailpit server, titled `on NAME`. Without a server, one pending test states the reason. */
export const describeOnMailpit = (title: string, tests: (server: MailpitServer) => void): Promise<void> =>
  describeOnServers(mailpit, title, tests);
