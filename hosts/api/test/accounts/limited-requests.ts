import { expect } from 'chai';
import type { Sending, TimedService } from '../timed-service.ts';
import { refusal } from '../service.ts';

export const WRONG_PASSWORD = 'a wrong password';

/** The value of the header Retry-After in seconds. */
export const retryAfter = (response: Response): number => Number(response.headers.get('retry-after'));

export const statuses = (responses: readonly Response[]): number[] => responses.map(({ status }) => status);

/** Checks that a request was refused by a rate limit. Returns Retry-After, which must be `least` to `most` seconds. */
export const expectLimited = async (response: Response, least: number, most: number): Promise<number> => {
  const seconds = retryAfter(response);
  expect(await refusal(response)).to.include({ status: 429, code: 'RATE_LIMITED' });
  expect(Number.isInteger(seconds) && seconds >= 1, String(seconds)).to.equal(true);
  expect(seconds).to.be.within(least, most);
  return seconds;
};

/** Sends requests to the endpoints of accounts. */
export const limitedRequests = (service: () => TimedService) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    service().send(`/v1/auth/${path}`, body, sending);
  return {
    post,
    /** A login, by default with a wrong password. */
    attempt: (email: string, from: string, password = WRONG_PASSWORD): Promise<Response> =>
      post('login', { email, password }, { from }),
    /** Repeats the request shortly before and after the time that Retry-After stated. */
    expectCorrectRetryAfter: async (seconds: number, again: () => Promise<Response>): Promise<Response> => {
      service().advance((seconds - 2) * 1000);
      await expectLimited(await again(), 1, 3);
      service().advance(2000);
      const served = await again();
      expect(served.status).not.to.equal(429);
      return served;
    },
  };
};
