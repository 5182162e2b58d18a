import { MemoryMailer } from '@palimpsest/memory';
import { expect } from 'chai';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import type { Open } from '../src/kit/harness.ts';
import { describeMailer, type WatchedMailer } from '../src/mailer/contract.ts';
import { mailerMutants } from '../src/mutants/mailer-mutants.ts';
import { mutant } from '../src/mutants/mutant.ts';

const open: Open<WatchedMailer> = async () => {
  const mailer = new MemoryMailer();
  const delivered: WatchedMailer['delivered'] = async () =>
    mailer.delivered.map(({ envelope, to, date, attachment, ...mail }) => ({
      ...mail,
      envelope,
      from: envelope.from,
      to: [to],
      headerNames: [],
      dateMs: date / 1000,
      attachments: attachment ? [attachment] : [],
    }));
  return { subject: { mailer, delivered }, close: async () => {} };
};

const without = { faults: NO_CONNECTION };

describe('the contract of Mailer', () => {
  it('passes a sound adapter', async () => {
    const run = await runInside(() => describeMailer('Sound', mutant<WatchedMailer>(() => () => ({}))(open), without), {
      timeoutMs: 20_000,
    });
    expect(run.errors).to.deep.equal([]);
    expect(run.passed).to.not.be.empty;
  });

  for (const [flaw, make] of Object.entries(mailerMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeMailer('Mutant', make(open), without), { bail: true })).to.not.be.empty;
    });
  }
});
