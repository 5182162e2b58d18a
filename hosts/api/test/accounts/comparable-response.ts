import { expect } from 'chai';

const VARYING = new Set(['date', 'x-request-id', 'content-length', 'content-security-policy']);

/** Rounds the waiting times to 5 s, because the clock advances between two requests. */
const roundedWaits = (answer: string): string =>
  answer.replaceAll(/(?<=t=|Try again in |retry-after",")\d+/g, (seconds) =>
    String(5 * Math.round((Number(seconds) + 2) / 5)),
  );

/** The parts of a response that a client can compare: all except those that differ in every response. */
export const comparable = async (response: Response): Promise<string> =>
  roundedWaits(
    JSON.stringify([
      response.status,
      await response.text(),
      [...response.headers].filter(([name]) => !VARYING.has(name)),
    ]),
  );

/** Checks that all responses are the same. */
export const expectSame = (answers: readonly string[]): void => {
  expect(new Set(answers), answers.join('\n')).to.have.property('size', 1);
};
