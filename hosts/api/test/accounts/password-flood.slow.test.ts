import { expect } from 'chai';
import { aClient } from '../timed-service.ts';
import { blankPng } from '../samples.ts';
import { startService } from '../service.ts';

describe('400 concurrent logins', () => {
  it('get 401, or 503 with Retry-After when too many passwords wait for hashing, and do not delay an upload', async () => {
    const service = await startService({ passwords: 'argon2' });
    try {
      const user = await service.signUp();
      let isOver = false;
      const flood = Promise.all(
        Array.from({ length: 400 }, async (_, i) => {
          const response = await fetch(`${service.url}/v1/auth/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': aClient() },
            body: JSON.stringify({ email: `flood${i}@example.org`, password: 'a wrong password' }),
          });
          await response.text();
          return [response.status, response.headers.get('retry-after')] as const;
        }),
      ).finally(() => {
        isOver = true;
      });
      const uploaded = await user.upload(blankPng(), 'during-the-flood.png');
      expect([uploaded.status, isOver], 'the upload ends before the flood').to.deep.equal([200, false]);
      const answers = await flood;
      expect(new Set(answers.map(([status]) => status))).to.deep.equal(new Set([401, 503]));
      expect(answers.filter(([status]) => status === 503).every(([, seconds]) => Number(seconds) >= 1)).to.equal(true);
    } finally {
      await service.close();
    }
  });
});
