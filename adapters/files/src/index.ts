export { makeFolders, syncFolder } from './folders.ts';
export { hasProcessEnded, PROCESS_TAG, processTag } from './process-tag.ts';
export { hasErrorCode, isDiskFailure, unlessAbsent } from './system-error.ts';
export { removeStaleFiles, temporaryName } from './temporary-files.ts';
