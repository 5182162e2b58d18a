import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The reaction to each command: a reply, `'drop'` to close the connection, `'drop once'` to close it once and then
 * accept every mail, or `'hang'` to send nothing.
 */
export interface Script {
  readonly greeting?: string;
  readonly EHLO?: string;
  readonly STARTTLS?: string;
  readonly AUTH?: string;
  readonly MAIL?: string;
  readonly RCPT?: string;
  readonly DATA?: string;
  readonly message?: string; // after the final dot
}

/** An SMTP server with scripted replies. */
export interface ScriptedServer {
  readonly port: number;
  readonly lines: readonly string[]; // all lines from clients, including those of mails
  readonly setScript: (script: Script) => void; // replaces the whole script
  readonly openConnections: () => number;
  readonly totalConnections: () => number; // since the start
  readonly dropConnections: () => void;
  readonly close: () => Promise<void>;
}

const acceptingScript: Required<Script> = {
  greeting: '220 here',
  EHLO: '250 here',
  STARTTLS: '502 5.5.1 not here',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 continue',
  message: '250 accepted',
};

/** Starts a server that accepts every mail, unless `script` defines other replies. */
export const startScriptedServer = async (script: Script = {}): Promise<ScriptedServer> => {
  let current: Required<Script> = { ...acceptingScript, ...script };
  let total = 0;
  const lines: string[] = [];
  const sockets = new Set<Socket>();

  const reply = (socket: Socket, text: string): void => {
    if (text === 'drop once') current = acceptingScript;
    if (text.startsWith('drop')) socket.destroy();
    else if (text !== 'hang') socket.write(`${text}\r\n`);
  };

  const server = createServer((socket) => {
    total += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // clients that abort cause errors
    let rest = '';
    let inMessage = false;
    const handleLine = (line: string): void => {
      lines.push(line);
      if (inMessage) {
        if (line !== '.') return;
        inMessage = false;
        return reply(socket, current.message);
      }
      const verb = /^\w*/.exec(line)?.[0].toUpperCase() ?? '';
      if (verb === 'DATA') inMessage = current.DATA.startsWith('3');
      const scripted: unknown = Reflect.get(current, verb);
      reply(socket, typeof scripted === 'string' ? scripted : '250 ok');
    };
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n');
      rest = parts.pop() ?? '';
      for (const part of parts) handleLine(part);
    });
    reply(socket, current.greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    setScript: (next) => {
      current = { ...acceptingScript, ...next };
    },
    openConnections: () => sockets.size,
    totalConnections: () => total,
    dropConnections,
    close: async () => {
      dropConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
