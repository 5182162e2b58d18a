import type { Ratio } from './ratio.ts';

/** Two amounts of memory and their ratio. */
export interface MemoryRatio {
  readonly ratio: number; // subject to reference
  readonly subjectBytes: number;
  readonly referenceBytes: number;
}

/** A measured ratio and its upper limit. Without a limit it is only printed. */
export type Figure = (Ratio | MemoryRatio) & {
  readonly what: string;
  readonly limit?: number;
  /** The reference of the ratio, if `what` does not name it. */
  readonly to?: string;
};

/** A figure that cannot be measured on this machine, and the reason. */
export interface Skipped {
  readonly what: string;
  readonly skipped: string;
}

/** A comparison of speed or memory that is valid on any machine. */
export interface Bench {
  readonly name: string; // the name on the command line
  measure(): Promise<readonly (Figure | Skipped)[]>;
}

/** Whether a figure exceeds its limit. NaN exceeds it; a skipped figure does not. */
export const isOver = (finding: Figure | Skipped): boolean =>
  !('skipped' in finding) && finding.limit !== undefined && !(finding.ratio <= finding.limit);

const shownMicros = (micros: number): string =>
  micros < 10_000 ? `${micros.toFixed(0)} µs` : `${(micros / 1000).toFixed(0)} ms`;
const shownBytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

const comparedIn = (figure: Ratio | MemoryRatio): string =>
  'subjectBytes' in figure
    ? `${shownBytes(figure.subjectBytes)} against ${shownBytes(figure.referenceBytes)}`
    : `${shownMicros(figure.subjectMicros)} against ${shownMicros(figure.referenceMicros)}`;

/** A figure, or the reason why it is missing, on one line. */
export const figureLine = (name: string, finding: Figure | Skipped): string => {
  if ('skipped' in finding) return `${name}: ${finding.what}: skipped, because ${finding.skipped}`;
  const { what, ratio, limit, to } = finding;
  const verdict = limit === undefined ? 'no limit' : `limit ${limit.toFixed(2)} ${isOver(finding) ? 'OVER' : 'ok'}`;
  return `${name}: ${what}: ratio ${to === undefined ? '' : `to ${to} `}${ratio.toFixed(2)}, ${verdict} (${comparedIn(finding)})`;
};
