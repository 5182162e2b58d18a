import type { Ratio } from './ratio.ts';

/** How two amounts of memory compare. */
export interface MemoryRatio {
  readonly ratio: number; // of the subject's to the reference's
  readonly subjectBytes: number;
  readonly referenceBytes: number;
}

/** What was measured, and the most that its ratio may be. Without a limit it is only printed. */
export type Figure = (Ratio | MemoryRatio) & {
  readonly what: string;
  readonly limit?: number;
  /** What the ratio is to, where `what` does not say so. */
  readonly to?: string;
};

/** What cannot be measured here, and why. */
export interface Skipped {
  readonly what: string;
  readonly skipped: string;
}

/** A question of speed or memory that is answered by comparing: it holds on any machine. */
export interface Bench {
  readonly name: string; // as on the command line
  measure(): Promise<readonly (Figure | Skipped)[]>;
}

/** Whether a figure is beyond its limit. What is no number is. What was skipped is not. */
export const isOver = (finding: Figure | Skipped): boolean =>
  !('skipped' in finding) && finding.limit !== undefined && !(finding.ratio <= finding.limit);

const shownMicros = (micros: number): string =>
  micros < 10_000 ? `${micros.toFixed(0)} µs` : `${(micros / 1000).toFixed(0)} ms`;
const shownBytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

const comparedIn = (figure: Ratio | MemoryRatio): string =>
  'subjectBytes' in figure
    ? `${shownBytes(figure.subjectBytes)} against ${shownBytes(figure.referenceBytes)}`
    : `${shownMicros(figure.subjectMicros)} against ${shownMicros(figure.referenceMicros)}`;

/** A figure, or why there is none, on one line. */
export const figureLine = (name: string, finding: Figure | Skipped): string => {
  if ('skipped' in finding) return `${name}: ${finding.what}: skipped, as ${finding.skipped}`;
  const { what, ratio, limit, to } = finding;
  const verdict = limit === undefined ? 'no limit' : `limit ${limit.toFixed(2)} ${isOver(finding) ? 'OVER' : 'ok'}`;
  return `${name}: ${what}: ratio ${to === undefined ? '' : `to ${to} `}${ratio.toFixed(2)}, ${verdict} (${comparedIn(finding)})`;
};
