export { compose, type Composition } from './compose.ts';
export { ConfigError, describeVariables, readConfig, type Config } from './config.ts';
export { readEnvironment } from './environment.ts';
export { openLog, type Logger } from './log.ts';
export { readiness } from './readiness.ts';
export { runHost, type RunningHost } from './run-host.ts';
export { createUseCases, type UseCases } from './use-cases.ts';
