import { once } from 'node:events';

/** In a child: says that it is ready, and waits until it is told to go on. */
export const toldToGo = async (): Promise<void> => {
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
};
