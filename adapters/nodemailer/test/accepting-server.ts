import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { DeliveredMail } from '@palimpsest/contract-tests';
import { parseMail } from './parse-mail.ts';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** An SMTP server that accepts all mails and keeps them in memory. */
export interface AcceptingServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  readonly delivered: () => Promise<readonly DeliveredMail[]>;
  readonly close: () => Promise<void>;
}

/** Starts a server on this machine, without TLS and without authentication unless `options` change that. */
export const startAcceptingServer = async (options: SMTPServerOptions = {}, port = 0): Promise<AcceptingServer> => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // the tests break connections on purpose
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    delivered: async () => await Promise.all(received.map(({ raw, from, to }) => parseMail(raw, { from, to }))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
