import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process that runs a script. */
export interface Child {
  readonly pid: number;
  /** All lines that the child has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when the child has printed `count` lines. Throws if the child ends earlier. */
  printed(count: number): Promise<void>;
  /** Ends the wait of a child that has called `waitForParent`. */
  proceed(): void;
  /** Kills the child with SIGKILL, and resolves when it has ended. */
  kill(): Promise<void>;
  /** Resolves when the child has ended. If it failed, throws an error with its standard error output. */
  ended(): Promise<void>;
}

/** Starts a child process that runs a TypeScript file. */
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
    pid: child.pid ?? 0,
    lines,
    printed: async (count) => {
      while (lines.length < count) {
        const more = await Promise.race([once(output, 'line').then(() => true), closed.then(() => false)]);
        if (!more && lines.length < count) throw new Error(`${path} ended early: ${errors}`);
      }
    },
    proceed: () => child.stdin.write('proceed\n'),
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

/**
 * Runs a script in `count` processes. The processes wait for each other in `waitForParent`, so that they continue at the
 * same time. Returns the lines that each process prints afterwards. Throws if a process fails.
 */
export const runTogether = async (
  count: number,
  script: URL,
  ...args: readonly string[]
): Promise<readonly (readonly string[])[]> => {
  const children = Array.from({ length: count }, () => startChild(script, ...args));
  try {
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.proceed();
    await Promise.all(children.map((child) => child.ended()));
    return children.map(({ lines }) => lines.slice(1));
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
};
