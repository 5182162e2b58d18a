import { viewSlots } from '@palimpsest/core';
import { expect } from 'chai';
import { refusalOf, times } from '../world.ts';

describe('viewSlots', () => {
  it('throws RATE_LIMITED with a retry time when 100 requests of one owner wait, and lets other owners wait', async () => {
    const slots = viewSlots(1);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const running = slots.run('ada', () => gate);
    const waiting = times(100, () => slots.run('ada', async () => 'ada'));
    const refusal = await refusalOf(slots.run('ada', async () => 'ada'));
    expect(refusal).to.include({ code: 'RATE_LIMITED', retryAfterMs: 5000 });
    const other = slots.run('bob', async () => 'bob');
    open();
    await running;
    expect(await other).to.equal('bob');
    expect(await Promise.all(waiting)).to.have.length(100);
  });
});
