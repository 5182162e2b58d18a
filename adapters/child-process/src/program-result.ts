/** The result of a program that was not killed by a limit or an abort. */
export interface ProgramResult {
  readonly exitCode: number | undefined; // undefined if a signal ended it
  readonly signal: string | undefined; // the signal that ended it
  readonly output: Buffer; // standard output
  readonly errors: string; // the last part of standard error
  readonly elapsedMs: number; // run time
}

// The messages of the C and C++ libraries, Leptonica, libpng, poppler and Ghostscript when an allocation fails.
const NO_MEMORY =
  /bad_alloc|[cm]alloc fail|out of memory|insufficient memory|cannot allocate memory|unable to allocate|failed to map segment|VMerror/i;

/**
 * Whether standard error reports a failed allocation. The exit code is not enough: some programs continue, leave out a
 * part of the page and exit with 0.
 */
export const ranOutOfMemory = ({ errors }: Pick<ProgramResult, 'errors'>): boolean => NO_MEMORY.test(errors);

/** Describes for the log how a program ended. */
export const describeEnd = (program: string, { exitCode, signal, errors }: ProgramResult): string =>
  `${program} ended with ${signal ?? `exit code ${exitCode}`}: ${errors}`;
