import { spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';

/** The programs that confine others here; each is left out where it is not installed or may not be used. */
interface Confiners {
  readonly prlimit: string | undefined; // util-linux: resource limits
  readonly setpriv: string | undefined; // util-linux: death with the parent, no new privileges
}

/** How a program is held. Each limit holds for every process of it by itself. */
export interface ResourceLimits {
  readonly addressSpaceBytes: number | undefined;
  readonly processorSeconds: number;
  readonly maxFileBytes: number;
  /** Whether the system ends it with this process. It ends no others that it has started. */
  readonly diesWithParent: boolean;
}

const PRLIMIT_TRIAL = ['--core=0', '--'];
const setprivArguments = (diesWithParent: boolean): readonly string[] => [
  ...(diesWithParent ? ['--pdeathsig', 'KILL'] : []),
  '--no-new-privs',
  '--',
];

/** Whether `command` ends well when it starts `program`. */
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

const findConfiners = async (): Promise<Confiners> => {
  if (process.platform !== 'linux') return { prlimit: undefined, setpriv: undefined };
  const [prlimit, setpriv] = await Promise.all([findProgram('prlimit'), findProgram('setpriv')]);
  return {
    prlimit: prlimit !== undefined && (await works(prlimit, PRLIMIT_TRIAL, prlimit)) ? prlimit : undefined,
    setpriv: setpriv !== undefined && (await works(setpriv, setprivArguments(true), setpriv)) ? setpriv : undefined,
  };
};

let confiners: Promise<Confiners> | undefined;

/** What confines programs on this machine; looked for once. */
export const confinersHere = (): Promise<Confiners> => (confiners ??= findConfiners());

/** With these codes a confiner says that it could not start the program. */
export const NOT_STARTED: readonly (number | null)[] = [126, 127];

/**
 * The command that runs `command` within the limits, as far as this machine has the
 * programs for it. They replace themselves by what they run, so that process id and streams are those of the program.
 */
export const confined = (
  command: readonly string[],
  { prlimit, setpriv }: Confiners,
  { addressSpaceBytes, processorSeconds, maxFileBytes, diesWithParent }: ResourceLimits,
): readonly string[] => [
  ...(prlimit === undefined
    ? []
    : [
        prlimit,
        ...(addressSpaceBytes === undefined ? [] : [`--as=${addressSpaceBytes}`]),
        // First a signal that tells which limit it was, a second later one that cannot be ignored.
        `--cpu=${processorSeconds}:${processorSeconds + 1}`,
        `--fsize=${maxFileBytes}`,
        '--core=0',
        '--',
      ]),
  ...(setpriv === undefined ? [] : [setpriv, ...setprivArguments(diesWithParent)]),
  ...command,
];
