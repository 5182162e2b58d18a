import { describeMailer } from '@palimpsest/contract-tests';
import { openSmtpMailer } from '../src/smtp-mailer.ts';
import { startStation } from './station.ts';

const from = { name: 'Palimpsest', address: 'palimpsest@example.org' };

describeMailer('SmtpMailer', async () => {
  const station = await startStation();
  const mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${station.port}`, from });
  return {
    subject: { mailer, delivered: station.delivered },
    close: async () => {
      await mailer.close();
      await station.close();
    },
  };
});
