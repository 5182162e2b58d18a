import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseEnv } from 'node:util';
import { readConfig, type Config } from './config.ts';

const readDotEnv = (file: string): NodeJS.Dict<string> => {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
};

export const cores = availableParallelism();

/** The configuration from the environment and, for what is not set there, from `.env` in the working folder. */
export const readEnvironment = (): Config => readConfig({ ...readDotEnv('.env'), ...process.env }, cores);
