export { makeFolders, syncFolder } from './folders.ts';
export { hasErrorCode } from './system-error.ts';
export { removeStaleFiles, temporaryName } from './temporary-files.ts';
