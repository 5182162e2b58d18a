import { expect } from 'chai';
import { aCompletedDocument, jsonOf, revise } from '../documents.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

describe('revisions', () => {
  let service: TestService;
  let user: TestUser;
  const get = (rest: string, id: string): Promise<Response> => user.fetch(`/v1/documents/${id}${rest}`);

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
  });
  after(() => service.close());

  it('lists all revisions newest first and compares any two', async () => {
    const revised = await aCompletedDocument(user, ['one two three four five six seven']);
    expect(await jsonOf(await get('/revisions', revised))).to.deep.equal({ items: [] });
    expect(await jsonOf(await get('/revisions/diff', revised))).to.deep.equal({
      changes: [{ op: 'equal', text: 'one two three four five six seven' }],
    });
    await revise(user, revised, 'one two three');
    await revise(user, revised, 'one 2 three');
    const { items } = await jsonOf<{ items: Record<string, unknown>[] }>(await get('/revisions', revised));
    expect(items.map(({ number, text }) => [number, text])).to.deep.equal([
      [2, 'one 2 three'],
      [1, 'one two three'],
    ]);
    expect(Object.keys(items[0] ?? {})).to.deep.equal(['number', 'revised_at', 'text']);
    expect(await jsonOf(await get('/revisions/diff?from=1&to=2', revised))).to.deep.equal({
      changes: [
        { op: 'equal', text: 'one ' },
        { op: 'delete', text: 'two' },
        { op: 'insert', text: '2' },
        { op: 'equal', text: ' three' },
      ],
    });
    for (const query of ['?from=3', '?to=3', '?from=99999999']) {
      expect(await refusal(await get(`/revisions/diff${query}`, revised)), query).to.include({
        status: 404,
        code: 'REVISION_NOT_FOUND',
      });
    }
    for (const query of ['?from=-1', '?to=x', '?from=1.5', '?from=', '?to=1&to=2']) {
      expect(await refusal(await get(`/revisions/diff${query}`, revised)), query).to.include({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    }
  });
});
