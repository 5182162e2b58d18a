import { describeMailer, openFaultProxy, type DeliveredMail } from '@palimpsest/contract-tests';
import { askMailpit, describeOnMailpit, type MailpitServer } from '../../../test/services/mailpit.ts';
import { openSmtpMailer } from '../src/smtp-mailer.ts';
import { parseMail } from './parse-mail.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };

const deliveredTo = async (server: MailpitServer): Promise<readonly DeliveredMail[]> => {
  const list: { messages: { ID: string }[] } = JSON.parse(
    Buffer.from(await askMailpit(server, 'GET', '/api/v1/messages?limit=100')).toString(),
  );
  return await Promise.all(
    list.messages.map(async ({ ID }) => await parseMail(await askMailpit(server, 'GET', `/api/v1/message/${ID}/raw`))),
  );
};

await describeOnMailpit('Mailpit', (server) => {
  describeMailer('SmtpMailer', async () => {
    await askMailpit(server, 'DELETE', '/api/v1/messages');
    const { hostname, port } = new URL(server.smtpUrl);
    const proxy = await openFaultProxy({ host: hostname, port: Number(port) });
    const mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${proxy.port}`, from });
    return {
      subject: { mailer, delivered: () => deliveredTo(server) },
      faults: proxy.faults(),
      close: async () => {
        await mailer.close();
        await proxy.close();
      },
    };
  });
});
