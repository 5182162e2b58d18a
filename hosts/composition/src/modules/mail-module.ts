import { ConfigError } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Sends mails over SMTP, or writes them to the outbox folder if SMTP_URL is not set. */
export const openMailModule: OpenModule = async ({ config, log, onClose }) => {
  const { openOutbox, openSmtpMailer, parseSmtpUrl } = await import('@palimpsest/nodemailer');
  const { smtpUrl, from, outboxFolder } = config.mail;
  if (smtpUrl === undefined) {
    const outbox = await openOutbox({ folder: outboxFolder, from });
    log.info({ folder: outboxFolder }, 'SMTP_URL is not set: mails are written to the outbox folder');
    return portsModule({ mailer: outbox });
  }
  try {
    parseSmtpUrl(smtpUrl);
  } catch (error) {
    throw new ConfigError([
      `SMTP_URL is not usable: ${error instanceof Error ? error.message : 'it is not a valid URL'}`,
    ]);
  }
  const mailer = openSmtpMailer({ url: smtpUrl, from });
  onClose(() => mailer.close());
  log.info({ server: new URL(smtpUrl).host }, 'mails are sent to the SMTP server');
  return portsModule({ mailer });
};
