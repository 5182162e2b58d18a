import { ConfigError } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Mail over SMTP, or into a folder where no server is named. */
export const openMailModule: OpenModule = async ({ config, log, onClose }) => {
  const { openOutbox, openSmtpMailer, parseSmtpUrl } = await import('@palimpsest/nodemailer');
  const { smtpUrl, from, outboxFolder } = config.mail;
  if (smtpUrl === undefined) {
    const outbox = await openOutbox({ folder: outboxFolder, from });
    log.info({ folder: outboxFolder }, 'mails are written to the outbox, as SMTP_URL is not set');
    return portsModule({ mailer: outbox });
  }
  try {
    parseSmtpUrl(smtpUrl);
  } catch (error) {
    throw new ConfigError([`SMTP_URL is not usable: ${error instanceof Error ? error.message : 'it cannot be read'}`]);
  }
  const mailer = openSmtpMailer({ url: smtpUrl, from });
  onClose(() => mailer.close());
  log.info({ server: new URL(smtpUrl).host }, 'mails go to the SMTP server');
  return portsModule({ mailer });
};
