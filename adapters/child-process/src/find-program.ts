import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { hasErrorCode } from '@palimpsest/files';

const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'EPERM', 'ENAMETOOLONG')) return false;
    throw error;
  }
};

/**
 * The absolute path of the program `name` (without a folder): the first one on `searchPath`; `undefined` if it is not
 * installed. Relative folders of the search path are ignored, because they depend on the working folder.
 */
export const findProgram = async (
  name: string,
  searchPath: string = process.env['PATH'] ?? '',
): Promise<string | undefined> => {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, file);
    if (await isExecutable(path)) return path;
  }
  return undefined;
};
