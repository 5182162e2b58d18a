import type { JobPayload } from '@palimpsest/core';

/**
 * A payload as Agenda stores it: as text, because not every store takes every name (`$ne`, `a.b`) and every string (lone
 * surrogates) as it is.
 */
export interface JobData {
  readonly json: string;
}

export const dataOf = (payload: JobPayload): JobData => ({ json: JSON.stringify(payload) });

export const payloadOf = (data: JobData): JobPayload => JSON.parse(data.json);
