import type { Ratio } from './ratio.ts';

/** What was measured, and the most that its ratio may be. Without a limit it is only printed. */
export interface Figure extends Ratio {
  readonly what: string;
  readonly limit?: number;
}

/** A question of speed that is answered by comparing: it holds on any machine. */
export interface Bench {
  readonly name: string; // as on the command line
  measure(): Promise<readonly Figure[]>;
}

/** Whether a figure is beyond its limit. What is no number is. */
export const isOver = ({ ratio, limit }: Figure): boolean => limit !== undefined && !(ratio <= limit);

const shownMicros = (micros: number): string => (micros < 10_000 ? `${micros.toFixed(0)} µs` : `${(micros / 1000).toFixed(0)} ms`);

/** A figure on one line. */
export const figureLine = (name: string, figure: Figure): string => {
  const { what, ratio, limit, subjectMicros, referenceMicros } = figure;
  const verdict = limit === undefined ? 'no limit' : `limit ${limit.toFixed(2)} ${isOver(figure) ? 'OVER' : 'ok'}`;
  return `${name}: ${what}: ratio ${ratio.toFixed(2)}, ${verdict} (${shownMicros(subjectMicros)} against ${shownMicros(referenceMicros)})`;
};
