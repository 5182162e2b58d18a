import { linkedController, untilAborted, whenAborted } from '@palimpsest/core';
import { expect } from 'chai';

const reason = new Error('stop');

describe('whenAborted', () => {
  it('calls the listener when the signal aborts, and at once if it is aborted already', () => {
    const controller = new AbortController();
    const calls: string[] = [];
    whenAborted(controller.signal, () => calls.push('before'));
    expect(calls).to.deep.equal([]);
    controller.abort();
    whenAborted(controller.signal, () => calls.push('after'));
    expect(calls).to.deep.equal(['before', 'after']);
  });

  it('does not call a removed listener', () => {
    const controller = new AbortController();
    let calls = 0;
    whenAborted(controller.signal, () => calls++)();
    controller.abort();
    expect(calls).to.equal(0);
  });
});

describe('untilAborted', () => {
  it('returns the result of the work, or throws its error', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).to.equal(1);
    expect(await untilAborted(Promise.reject(reason), signal).catch((error: unknown) => error)).to.equal(reason);
  });

  it('throws the reason of the signal while the work has not ended', async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => {});
    const waiting = untilAborted(never, controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await untilAborted(never, controller.signal).catch((error: unknown) => error)).to.equal(reason);
  });
});

describe('linkedController', () => {
  it('aborts with its parent, also with a parent that is aborted already, until it is unlinked', () => {
    const parent = new AbortController();
    const [linked, unlinked] = [linkedController(parent.signal), linkedController(parent.signal)];
    unlinked.unlink();
    parent.abort(reason);
    const late = linkedController(parent.signal);
    expect([linked, unlinked, late].map(({ signal }) => signal.reason)).to.deep.equal([reason, undefined, reason]);
  });
});
