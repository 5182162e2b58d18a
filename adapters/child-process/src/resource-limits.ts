import { spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';
import { groupMemorySource } from './resident-memory.ts';

/**
 * The programs that start another program with limits. Each is `undefined` if it is not installed or does not work
 * here.
 */
export interface Wrappers {
  readonly prlimit: string | undefined; // util-linux: sets resource limits
  readonly setpriv: string | undefined; // util-linux: kills a program when its parent ends, forbids new privileges
}

/** The limits of a program. Each limit applies to each process of the program separately. */
export interface ResourceLimits {
  readonly addressSpaceBytes: number | undefined;
  readonly cpuSeconds: number;
  readonly maxFileBytes: number;
  /**
   * Whether the system kills the program when this process ends. It does not kill the processes that the program
   * started.
   */
  readonly diesWithParent: boolean;
}

const PRLIMIT_TRIAL = ['--core=0', '--'];
const setprivArguments = (diesWithParent: boolean): readonly string[] => [
  ...(diesWithParent ? ['--pdeathsig', 'KILL'] : []),
  '--no-new-privs',
  '--',
];

/** Whether `command` exits with 0 when it starts `program`. */
const works = (command: string, args: readonly string[], program: string): Promise<boolean> =>
  new Promise((resolve) => {
    const trial = spawn(command, [...args, program, '--version'], {
      stdio: 'ignore',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    trial.once('error', () => resolve(false));
    trial.once('exit', (code) => resolve(code === 0));
  });

const lookUpWrappers = async (): Promise<Wrappers> => {
  if (process.platform !== 'linux') return { prlimit: undefined, setpriv: undefined };
  const [prlimit, setpriv] = await Promise.all([findProgram('prlimit'), findProgram('setpriv')]);
  return {
    prlimit: prlimit !== undefined && (await works(prlimit, PRLIMIT_TRIAL, prlimit)) ? prlimit : undefined,
    setpriv: setpriv !== undefined && (await works(setpriv, setprivArguments(true), setpriv)) ? setpriv : undefined,
  };
};

let wrappers: Promise<Wrappers> | undefined;

/** The wrappers of this machine. They are looked up once. */
export const findWrappers = (): Promise<Wrappers> => (wrappers ??= lookUpWrappers());

/** The exit codes by which a wrapper reports that it could not start the program. */
export const NOT_STARTED: readonly (number | null)[] = [126, 127];

/**
 * The command line that runs `command` within those limits for which this machine has a wrapper. Each wrapper replaces
 * itself with the program that it starts (`exec`), so the process id and the streams are those of the program.
 */
export const wrappedCommand = (
  command: readonly string[],
  { prlimit, setpriv }: Wrappers,
  { addressSpaceBytes, cpuSeconds, maxFileBytes, diesWithParent }: ResourceLimits,
): readonly string[] => [
  ...(prlimit === undefined
    ? []
    : [
        prlimit,
        ...(addressSpaceBytes === undefined ? [] : [`--as=${addressSpaceBytes}`]),
        // The system sends SIGXCPU at the soft limit, which shows the reason, and SIGKILL one second later, which no
        // program can ignore.
        `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
        `--fsize=${maxFileBytes}`,
        '--core=0',
        '--',
      ]),
  ...(setpriv === undefined ? [] : [setpriv, ...setprivArguments(diesWithParent)]),
  ...command,
];

/**
 * The limits that this machine cannot set, as sentences for the log of an operator. Empty if it can set all of them.
 */
export const describeMissingLimits = async (): Promise<readonly string[]> => {
  const { prlimit, setpriv } = await findWrappers();
  const withoutPrlimit =
    groupMemorySource === undefined
      ? 'The program prlimit is missing: the memory of the programs that read pages is not limited.'
      : 'The program prlimit is missing: the memory of the programs that read pages is only polled, and their CPU time is not limited.';
  return [
    ...(prlimit === undefined ? [withoutPrlimit] : []),
    ...(setpriv === undefined
      ? [
          'The program setpriv is missing: if this process is killed, programs that read pages may continue to run for a while.',
        ]
      : []),
  ];
};
