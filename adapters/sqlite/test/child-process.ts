import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A script in a child process. */
export interface Child {
  /** All lines that it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has printed `count` lines; throws if it ends before. */
  printed(count: number): Promise<void>;
  /** Lets a child continue that waits in `toldToGo`. */
  go(): void;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Resolves when it has exited; throws its standard error if it failed. */
  ended(): Promise<void>;
}

export const startChild = (script: URL, ...args: readonly string[]): Child => {
  const path = fileURLToPath(script);
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', path, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let errors = '';
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const closed = once(child, 'close');
  return {
    lines,
    printed: async (count) => {
      while (lines.length < count) {
        const more = await Promise.race([once(output, 'line').then(() => true), closed.then(() => false)]);
        if (!more && lines.length < count) throw new Error(`${path} ended early: ${errors}`);
      }
    },
    go: () => child.stdin.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    ended: async () => {
      await closed;
      if (child.exitCode !== 0) throw new Error(`${path} failed: ${errors}`);
    },
  };
};
