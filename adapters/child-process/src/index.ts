export * from './child-pool.ts';
export {
  describeConfinement,
  describeEnd,
  lackedMemory,
  runProgram,
  type ProgramCall,
  type ProgramResult,
} from './run-program.ts';
export * from './find-program.ts';
export * from './open-documents.ts';
export * from './page-failures.ts';
export * from './pgm.ts';
export {
  makePrivateFolder,
  removePrivateFolder,
  sweepPrivateFolders,
  withPrivateFolder,
  writePrivateFile,
} from './private-folder.ts';
export * from './programs.ts';
export * from './serve-requests.ts';
export * from './sibling-module.ts';
