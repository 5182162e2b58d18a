import type { Composition } from '@palimpsest/composition';

type Method = (...given: unknown[]) => unknown;

const methodsOf = (port: Readonly<Record<string, unknown>>): readonly (readonly [string, Method])[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(port)).flatMap((name) => {
    const method = port[name];
    return name !== 'constructor' && typeof method === 'function' ? [[name, method.bind(port) as Method]] : [];
  });

/**
 * Runs `task` and returns the number of calls of each method of these ports, as in `{ 'accounts.add': 1 }`. With the
 * counts, a test can show that two requests do the same work. A comparison of their times would depend on the machine.
 */
export const countCalls = async (
  { ports }: Composition,
  names: readonly (keyof Composition['ports'])[],
  task: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  const restore: (() => void)[] = [];
  for (const name of names) {
    const port = ports[name] as unknown as Record<string, Method>;
    for (const [method, original] of methodsOf(port)) {
      const own = Object.getOwnPropertyDescriptor(port, method);
      port[method] = (...given) => {
        counts[`${name}.${method}`] = (counts[`${name}.${method}`] ?? 0) + 1;
        return original(...given);
      };
      restore.push(() => {
        if (own) Object.defineProperty(port, method, own);
        else delete port[method];
      });
    }
  }
  await task();
  for (const undo of restore) undo();
  return counts;
};
