import { once } from 'node:events';

/** In a child process: prints `ready` and waits until the parent calls `go`. */
export const toldToGo = async (): Promise<void> => {
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
};
