import { diffRevisions, listRevisions, reviseOcr, type Revision } from '@palimpsest/core';
import { expect } from 'chai';
import { ada, all, aRead, codeOf, viewSettings } from '../../world.ts';

const notAborted = new AbortController().signal;

describe('listRevisions and diffRevisions', () => {
  it('list all revisions, newest first', async () => {
    const { ports, memory, id } = await aRead();
    expect(await all(await listRevisions(ports)(ada, id))).to.deep.equal([]);
    for (const text of ['first', '', 'third']) {
      memory.clock.advance(1000);
      await reviseOcr(ports)(ada, id, text);
    }
    const listed: Revision[] = await all(await listRevisions(ports)(ada, id));
    expect(listed.map(({ number, text }) => [number, text])).to.deep.equal([
      [3, 'third'],
      [2, ''],
      [1, 'first'],
    ]);
    expect(listed[0]?.revisedAt).to.equal(memory.clock.now());
  });

  it('compare the recognized text with the newest revision, or any two revisions', async () => {
    const { ports, id } = await aRead({ pages: [{ text: 'one two three' }] });
    const compare = async (from: number, to?: number): Promise<string> =>
      (await diffRevisions(ports, viewSettings())(ada, id, from, to, notAborted))
        .map(({ op, text }) => `${{ equal: '', insert: '+', delete: '-' }[op]}${text}`)
        .join('|');
    expect(await compare(0)).to.equal('one two three');
    await reviseOcr(ports)(ada, id, 'one 2 three');
    await reviseOcr(ports)(ada, id, 'one 2');
    expect(await compare(0, 1)).to.equal('one |-two|+2| three');
    expect(await compare(1)).to.equal('one 2|- three');
    expect(await compare(2, 1)).to.equal('one 2|+ three');
    expect(await compare(2, 0)).to.equal('one |-2|+two three');
    for (const [from, to] of [
      [3, 0],
      [0, 3],
      [9, undefined],
    ] as const) {
      expect(await codeOf(diffRevisions(ports, viewSettings())(ada, id, from, to, notAborted))).to.equal(
        'REVISION_NOT_FOUND',
      );
    }
  });
});
