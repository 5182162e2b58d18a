/** How a program ended by itself. */
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
 * Whether standard error reports a failed allocation. The exit code does not tell: some programs go on and leave out a
 * part of the page.
 */
export const ranOutOfMemory = ({ errors }: Pick<ProgramResult, 'errors'>): boolean => NO_MEMORY.test(errors);

/** How a program ended, for the log. */
export const describeEnd = (program: string, { exitCode, signal, errors }: ProgramResult): string =>
  `${program} ended with ${signal ?? `exit code ${exitCode}`}: ${errors}`;
