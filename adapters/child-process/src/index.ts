export * from './child-pool.ts';
export { describeMissingLimits } from './resource-limits.ts';
export * from './find-program.ts';
export * from './page-failures.ts';
export * from './pdf-rasterizer.ts';
export * from './pgm.ts';
export {
  makePrivateFolder,
  removeOrphanedFolders,
  removePrivateFolder,
  withPrivateFolder,
  writePrivateFile,
} from './private-folder.ts';
export * from './program-pool.ts';
export * from './program-result.ts';
export { runProgram, type ProgramCall } from './run-program.ts';
export * from './serve-requests.ts';
export * from './sibling-module.ts';
