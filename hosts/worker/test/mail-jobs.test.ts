import { createUseCases, readConfig, type Composition } from '@palimpsest/composition';
import { AppError, type JobOutcome, type SendOutcome } from '@palimpsest/core';
import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { pino } from 'pino';
import { mailJobs } from '../src/mail-jobs.ts';

/** Runs one mail job whose sending has this outcome. Returns the outcome of the job and its log line. */
const run = async (
  outcome: SendOutcome,
): Promise<{ readonly job: JobOutcome; readonly line: Record<string, unknown>; readonly raw: string }> => {
  let raw = '';
  const memory = openMemory();
  const config = readConfig({}, 1);
  const composition: Composition = {
    config,
    log: pino({ base: null }, { write: (line: string) => void (raw += line) }),
    ports: memory,
    useCases: { ...createUseCases(memory, config), sendMail: async () => outcome },
    close: async () => {},
  };
  const payload = { mail: 'verify-email', accountId: 'a', mailId: 'm', requestedAt: 1 };
  const job = await mailJobs(composition).run({ payload, signal: new AbortController().signal });
  return { job, line: JSON.parse(raw) as Record<string, unknown>, raw };
};

/** A reply of a mail server, which contains an address. */
const reply = Object.assign(new Error('550 5.1.1 <reader@example.org> unknown'), {
  code: 'EENVELOPE',
  responseCode: 550,
  rejected: ['reader@example.org'],
});

describe('a mail job', () => {
  it('is done when its mail is sent, refused, dropped or was handled before, and logs this outcome', async () => {
    for (const [outcome, message] of [
      [{ kind: 'sent', attachmentLeftOut: false }, 'mail sent'],
      [{ kind: 'dropped', reason: 'the document is gone' }, 'mail dropped'],
      [{ kind: 'ended-before', outcome: 'sent' }, 'mail was handled before, nothing is sent'],
      [{ kind: 'refused', fault: new AppError('MAIL_REFUSED', 'no') }, 'mail refused'],
    ] as const) {
      const { job, line } = await run(outcome);
      expect(job).to.equal('done');
      expect(line).to.include({ msg: message, mailId: 'm', mail: 'verify-email' });
    }
  });

  it('runs again at the retry time of a delayed mail', async () => {
    const fault = new AppError('SERVICE_UNAVAILABLE', 'later', { cause: reply });
    expect((await run({ kind: 'postponed', retryAt: 5_000_000, fault })).job).to.deep.equal({ retryAt: 5_000_000 });
  });

  it('logs the SMTP status from any level of causes, and never an address', async () => {
    const refused = new AppError('MAIL_REFUSED', 'The mail server refused the mail for good.', { cause: reply });
    const givenUp = new AppError('MAIL_REFUSED', 'Not for 24 hours.', {
      cause: new AppError('SERVICE_UNAVAILABLE', 'later', { cause: reply }),
    });
    for (const fault of [refused, givenUp]) {
      const { line, raw } = await run({ kind: 'refused', fault });
      expect(line).to.include({ fault: 'MAIL_REFUSED', reason: fault.message, cause: 'EENVELOPE', smtpStatus: 550 });
      expect(raw).not.to.include('reader@');
    }
  });
});
