import { once } from 'node:events';

/** In a child process: prints `ready`, and waits until the parent calls `proceed`. */
export const waitForParent = async (): Promise<void> => {
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
};
