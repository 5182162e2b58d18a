import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { rejectionOf } from '../kit/expectations.ts';
import { expectDelivered, type MailTest } from './mail-test.ts';
import { aMail, anAttachment } from './samples.ts';

/** Tests signals that abort the sending of a mail. */
export const describeCancellation = ({ send, delivered, onlyDelivered }: MailTest): void => {
  it('neither opens the attachment nor sends a mail if the signal is already aborted', async () => {
    let timesOpened = 0;
    const attachment = anAttachment(randomBytes(10), {
      open: async () => (timesOpened++, await anAttachment(randomBytes(10)).open()),
    });
    expect(
      await rejectionOf(() => send(aMail({ attachment }), AbortSignal.abort(new Error('enough')))),
    ).to.be.instanceOf(Error);
    expect(timesOpened).to.equal(0);
    expect(await delivered()).to.deep.equal([]);
  });

  it('stops when the signal aborts while the attachment yields nothing', async () => {
    const abort = new AbortController();
    const begun = Promise.withResolvers<void>();
    async function* stalling(): AsyncGenerator<Uint8Array> {
      yield randomBytes(100_000);
      begun.resolve();
      await new Promise<never>(() => undefined);
    }
    const attachment = {
      filename: 'a.pdf',
      mediaType: 'application/pdf',
      byteSize: 200_000,
      open: async () => stalling(),
    };
    const sending = rejectionOf(() => send(aMail({ attachment }), abort.signal));
    await begun.promise;
    abort.abort(new Error('enough'));
    expect(await sending).to.be.instanceOf(Error);
    const next = aMail();
    await send(next);
    expectDelivered(await onlyDelivered(), next);
  });

  it('stops and closes the attachment when the signal aborts during the transfer', async () => {
    const abort = new AbortController();
    let chunks = 0;
    const closed = Promise.withResolvers<void>();
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          chunks += 1;
          if (chunks === 20) abort.abort(new Error('enough'));
          await new Promise((resolve) => setImmediate(resolve));
          yield randomBytes(10_000);
        }
      } finally {
        closed.resolve();
      }
    }
    const attachment = {
      filename: 'a.pdf',
      mediaType: 'application/pdf',
      byteSize: 1_000_000,
      open: async () => endless(),
    };
    expect(await rejectionOf(() => send(aMail({ attachment }), abort.signal))).to.be.instanceOf(Error);
    await closed.promise;
    expect(await delivered()).to.deep.equal([]);
  });

  it('removes its listeners from the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const watched = {
      get aborted() {
        return signal.aborted;
      },
      get reason(): unknown {
        return signal.reason;
      },
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    await send(aMail({ attachment: anAttachment(randomBytes(1000)) }), watched);
    await rejectionOf(() => send(aMail({ to: 'not an address' }), watched));
    expect(listeners).to.equal(0);
  });
};
