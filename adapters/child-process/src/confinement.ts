import { spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';
import { groupMemorySource } from './resident-memory.ts';

/** The programs that limit other programs. Each is `undefined` if it is not installed or does not work here. */
export interface Confiners {
  readonly prlimit: string | undefined; // util-linux: sets resource limits
  readonly setpriv: string | undefined; // util-linux: ends a program with its parent, forbids new privileges
}

/** The limits of a program. Each limit holds for every process of the program by itself. */
export interface ResourceLimits {
  readonly addressSpaceBytes: number | undefined;
  readonly cpuSeconds: number;
  readonly maxFileBytes: number;
  /** Whether the system kills the program when this process ends. It does not kill the processes that the program started. */
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

const lookUpConfiners = async (): Promise<Confiners> => {
  if (process.platform !== 'linux') return { prlimit: undefined, setpriv: undefined };
  const [prlimit, setpriv] = await Promise.all([findProgram('prlimit'), findProgram('setpriv')]);
  return {
    prlimit: prlimit !== undefined && (await works(prlimit, PRLIMIT_TRIAL, prlimit)) ? prlimit : undefined,
    setpriv: setpriv !== undefined && (await works(setpriv, setprivArguments(true), setpriv)) ? setpriv : undefined,
  };
};

let confiners: Promise<Confiners> | undefined;

/** The confiners of this machine, looked up once. */
export const findConfiners = (): Promise<Confiners> => (confiners ??= lookUpConfiners());

/** The exit codes with which a confiner reports that it could not start the program. */
export const NOT_STARTED: readonly (number | null)[] = [126, 127];

/**
 * The command that runs `command` within the limits, as far as this machine has the confiners. Each confiner replaces
 * itself by the program that it starts, so process id and streams are those of the program.
 */
export const confinedCommand = (
  command: readonly string[],
  { prlimit, setpriv }: Confiners,
  { addressSpaceBytes, cpuSeconds, maxFileBytes, diesWithParent }: ResourceLimits,
): readonly string[] => [
  ...(prlimit === undefined
    ? []
    : [
        prlimit,
        ...(addressSpaceBytes === undefined ? [] : [`--as=${addressSpaceBytes}`]),
        // At the soft limit comes SIGXCPU, which names the reason; a second later SIGKILL, which nothing can ignore.
        `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
        `--fsize=${maxFileBytes}`,
        '--core=0',
        '--',
      ]),
  ...(setpriv === undefined ? [] : [setpriv, ...setprivArguments(diesWithParent)]),
  ...command,
];

/** The limits that this machine cannot set, as sentences for the log of an operator. Empty if it can set all of them. */
export const describeConfinement = async (): Promise<readonly string[]> => {
  const { prlimit, setpriv } = await findConfiners();
  const withoutPrlimit =
    groupMemorySource === undefined
      ? 'The program prlimit is missing: the memory of the programs that read pages is not limited.'
      : 'The program prlimit is missing: the memory of the programs that read pages is only polled, and their CPU time is not limited.';
  return [
    ...(prlimit === undefined ? [withoutPrlimit] : []),
    ...(setpriv === undefined
      ? ['The program setpriv is missing: if this process is killed, programs that read pages may run on for a while.']
      : []),
  ];
};
