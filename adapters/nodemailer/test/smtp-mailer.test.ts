import { describeMailer, openFaultProxy } from '@palimpsest/contract-tests';
import { openSmtpMailer } from '../src/smtp-mailer.ts';
import { startStation } from './station.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };

describeMailer('SmtpMailer', async () => {
  const station = await startStation();
  const proxy = await openFaultProxy({ host: '127.0.0.1', port: station.port });
  const mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${proxy.port}`, from });
  return {
    subject: { mailer, delivered: station.delivered },
    faults: proxy.faults(),
    close: async () => {
      await mailer.close();
      await proxy.close();
      await station.close();
    },
  };
});
