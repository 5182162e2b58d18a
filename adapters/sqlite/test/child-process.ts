import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A script that runs in a process of its own. */
export interface Child {
  /** Every line that it printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has printed at least `count` lines; throws if it ends before. */
  printed(count: number): Promise<void>;
  /** Has the child go on that waits for a line. */
  go(): void;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Resolves when it has ended by itself; throws with what it said if it failed. */
  ended(): Promise<void>;
}

export const startChild = (script: URL, ...args: readonly string[]): Child => {
  const path = fileURLToPath(script);
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', path, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let complaints = '';
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const closed = once(child, 'close');
  return {
    lines,
    printed: async (count) => {
      while (lines.length < count) {
        const more = await Promise.race([once(output, 'line').then(() => true), closed.then(() => false)]);
        if (!more && lines.length < count) throw new Error(`${path} ended early: ${complaints}`);
      }
    },
    go: () => child.stdin.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    ended: async () => {
      await closed;
      if (child.exitCode !== 0) throw new Error(`${path} failed: ${complaints}`);
    },
  };
};
