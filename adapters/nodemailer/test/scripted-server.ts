import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The reaction to each command: a reply, `'drop'` to close the connection, `'drop once'` to close it once and then work
 * normally, or `'hang'` to send nothing.
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
  readonly play: (script: Script) => void; // from now on
  readonly connections: () => number; // number of open ones
  readonly opened: () => number; // number of all connections so far
  readonly cutAll: () => void;
  readonly close: () => Promise<void>;
}

const working: Required<Script> = {
  greeting: '220 here',
  EHLO: '250 here',
  STARTTLS: '502 5.5.1 not here',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  message: '250 taken',
};

/** Starts a server that accepts every mail, except where `script` says otherwise. */
export const startScriptedServer = async (script: Script = {}): Promise<ScriptedServer> => {
  let current: Required<Script> = { ...working, ...script };
  let opened = 0;
  const lines: string[] = [];
  const sockets = new Set<Socket>();

  const say = (socket: Socket, reply: string): void => {
    if (reply === 'drop once') current = working;
    if (reply.startsWith('drop')) socket.destroy();
    else if (reply !== 'hang') socket.write(`${reply}\r\n`);
  };

  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // of aborted clients
    let rest = '';
    let inMessage = false;
    const hear = (line: string): void => {
      lines.push(line);
      if (inMessage) {
        if (line !== '.') return;
        inMessage = false;
        return say(socket, current.message);
      }
      const verb = /^\w*/.exec(line)?.[0].toUpperCase() ?? '';
      if (verb === 'DATA') inMessage = current.DATA.startsWith('3');
      const reply: unknown = Reflect.get(current, verb);
      say(socket, typeof reply === 'string' ? reply : '250 ok');
    };
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n');
      rest = parts.pop() ?? '';
      for (const part of parts) hear(part);
    });
    say(socket, current.greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    play: (next) => {
      current = { ...working, ...next };
    },
    connections: () => sockets.size,
    opened: () => opened,
    cutAll,
    close: async () => {
      cutAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
