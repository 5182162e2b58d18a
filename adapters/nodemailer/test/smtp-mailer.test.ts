import { describeMailer, openFaultProxy } from '@palimpsest/contract-tests';
import { openSmtpMailer } from '../src/smtp-mailer.ts';
import { startAcceptingServer } from './accepting-server.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };

describeMailer('SmtpMailer', async () => {
  const server = await startAcceptingServer();
  const proxy = await openFaultProxy({ host: '127.0.0.1', port: server.port });
  const mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${proxy.port}`, from });
  return {
    subject: { mailer, delivered: server.delivered },
    faults: proxy.faults(),
    close: async () => {
      await mailer.close();
      await proxy.close();
      await server.close();
    },
  };
});
