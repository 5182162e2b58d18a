import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What is said to each command: a reply, `'drop'` to cut the connection, `'drop once'` to be sound again afterwards, or
 * `'hang'` to say nothing more.
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

/** An SMTP server that says what it is told to say. */
export interface ScriptedServer {
  readonly port: number;
  readonly lines: readonly string[]; // all that clients said, the lines of mails among it
  readonly play: (script: Script) => void; // from now on
  readonly connections: () => number; // open now
  readonly opened: () => number; // so far
  readonly cutAll: () => void;
  readonly close: () => Promise<void>;
}

const sound: Required<Script> = {
  greeting: '220 here',
  EHLO: '250 here',
  STARTTLS: '502 5.5.1 not here',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  message: '250 taken',
};

/** Starts a server that takes every mail, but for what `script` says. */
export const startScriptedServer = async (script: Script = {}): Promise<ScriptedServer> => {
  let current: Required<Script> = { ...sound, ...script };
  let opened = 0;
  const lines: string[] = [];
  const sockets = new Set<Socket>();

  const say = (socket: Socket, reply: string): void => {
    if (reply === 'drop once') current = sound;
    if (reply.startsWith('drop')) socket.destroy();
    else if (reply !== 'hang') socket.write(`${reply}\r\n`);
  };

  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // clients that break off, which the tests are about
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
      current = { ...sound, ...next };
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
