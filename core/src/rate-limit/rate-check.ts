import type { RateRule } from './rules.ts';

/** A rule and the subject that it counts. */
export interface RateCheck {
  readonly rule: RateRule;
  readonly subject: string;
}

/** The counter key of a check. */
export const keyOf = ({ rule, subject }: RateCheck): string => `${rule.name} ${subject}`;
