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

/** Reads the configuration from the environment. Variables that are not set there are read from `.env` in the working folder. */
export const readEnvironment = (): Config => readConfig({ ...readDotEnv('.env'), ...process.env }, cores);
