import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { DeliveredMail } from '@palimpsest/contract-tests';
import { parsedMail } from './parsed-mail.ts';

interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** An SMTP server that keeps what it takes, in memory. */
export interface Station {
  readonly port: number;
  readonly taken: readonly TakenMail[];
  readonly connections: () => number; // so far
  readonly delivered: () => Promise<readonly DeliveredMail[]>;
  readonly close: () => Promise<void>;
}

/** Starts a station on this machine: without TLS and signing in, unless the options say so. */
export const startStation = async (options: SMTPServerOptions = {}, port = 0): Promise<Station> => {
  const taken: TakenMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, callback) => {
      connections += 1;
      callback();
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        taken.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // connections that break off, which the tests are about
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    connections: () => connections,
    delivered: async () => await Promise.all(taken.map(({ raw, from, to }) => parsedMail(raw, { from, to }))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
