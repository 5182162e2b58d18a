import type { DocumentRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { at, MANY } from '../kit/samples.ts';
import { claimed, ownersServed, serve } from './claim-steps.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';

/** Tests that `nextClaimable` is fair over owners. */
export const describeFairness = (test: SubjectTest<DocumentRepository>): void => {
  test('prefers the owner with the fewest documents in progress', async (documents) => {
    for (const [ownerId, inProgress] of [
      ['three', 3],
      ['one', 1],
      ['two', 2],
    ] as const) {
      for (let i = 0; i < inProgress; i++) await documents.add(aProcessingDocument({ ownerId }));
      // The more documents an owner has in progress, the earlier the waiting one was received.
      await documents.add(aDocument({ ownerId, receivedAt: at(-inProgress) }));
    }
    expect((await documents.nextClaimable(at(0)))?.ownerId).to.equal('one');
  });

  test('counts only documents with an unexpired lease as in progress', async (documents) => {
    const lease = { token: 't', claimedAt: at(0), expiresAt: at(10) };
    // Five expired leases count less than one that has not expired.
    for (let i = 0; i < 5; i++)
      await documents.add(aProcessingDocument({ ownerId: 'crashed', lease, receivedAt: at(5) }));
    await documents.add(aProcessingDocument({ ownerId: 'busy', lease: { ...lease, expiresAt: at(10) + 1 } }));
    await documents.add(aDocument({ ownerId: 'busy', receivedAt: at(-5) }));
    for (const end of [aCompletedDocument, aFailedDocument, aDeletingDocument])
      await documents.add(end({ ownerId: 'crashed' }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('crashed');
    expect((await documents.nextClaimable(at(10) - 1))?.ownerId).to.equal('busy');
  });

  test('alternates between owners with many and few waiting documents', async (documents) => {
    for (let i = 0; i < 6; i++) await documents.add(aDocument({ ownerId: 'many', receivedAt: at(i) }));
    await documents.add(aDocument({ ownerId: 'one', receivedAt: at(100), notBefore: at(0) }));
    await documents.add(aDocument({ ownerId: 'some', receivedAt: at(101), notBefore: at(0) }));
    await documents.add(aDocument({ ownerId: 'some', receivedAt: at(102), notBefore: at(0) }));
    const owners = await ownersServed(documents, at(200));
    expect(owners.slice(0, 3).sort()).to.deep.equal(['many', 'one', 'some']);
    expect(owners.slice(3, 5).sort()).to.deep.equal(['many', 'some']);
    expect(owners.slice(5)).to.deep.equal(['many', 'many', 'many', 'many']);
  });

  test(`prefers an owner without documents in progress over an owner with ${MANY} earlier documents`, async (documents) => {
    await documents.add(aProcessingDocument({ ownerId: 'many' }));
    await Promise.all(
      Array.from({ length: MANY }, (_, i) => documents.add(aDocument({ ownerId: 'many', receivedAt: at(-i - 1) }))),
    );
    const only = aDocument({ ownerId: 'one', receivedAt: at(1) });
    await documents.add(only);
    expect(await documents.nextClaimable(at(2))).to.deep.equal(only);
  });

  test('prefers an owner who was never served', async (documents) => {
    await serve(documents, 'a-served', at(0));
    await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-100) }));
    await documents.add(aDocument({ ownerId: 'b-new', receivedAt: at(0) }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
  });

  test('prefers the owner who was served longest ago', async (documents) => {
    for (const [i, ownerId] of ['b', 'c', 'a', 'b'].entries()) await serve(documents, ownerId, at(i));
    // The waiting documents were received in another order.
    for (const [i, ownerId] of ['b', 'a', 'c'].entries())
      await documents.add(aDocument({ ownerId, receivedAt: at(i - 50) }));
    const owners: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      const next = await documents.nextClaimable(at(10));
      owners.push(next?.ownerId);
      await documents.remove(next?.id ?? '');
    }
    expect(owners).to.deep.equal(['c', 'a', 'b']);
  });

  test('compares the number of documents in progress before the time of the last service', async (documents) => {
    await documents.add(aProcessingDocument({ ownerId: 'never-served' }));
    await serve(documents, 'just-served', at(5));
    await documents.add(aDocument({ ownerId: 'never-served', receivedAt: at(-9) }));
    await documents.add(aDocument({ ownerId: 'just-served' }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('just-served');
  });

  test('remembers when an owner was served after their documents are removed', async (documents) => {
    const document = aDocument({ ownerId: 'a-served' });
    await documents.add(document);
    await documents.replace(claimed(document, at(0)));
    await documents.remove(document.id);
    await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-9) }));
    await documents.add(aDocument({ ownerId: 'b-new' }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
  });

  test('counts neither a failed update nor a renewed lease as service', async (documents) => {
    const first = aDocument({ ownerId: 'first' });
    await documents.add(first);
    const held = claimed(first, at(0));
    await documents.replace(held);
    await serve(documents, 'second', at(1));
    const renewed = { ...held, lease: { ...held.lease, expiresAt: at(40) }, pagesDone: 1, version: 3 };
    expect(await documents.replace(renewed)).to.equal(true);
    expect(await documents.replace({ ...renewed, run: 'late', lease: { ...held.lease, token: 'late' } })).to.equal(
      false,
    );
    await documents.replace(aCompletedDocument({ id: first.id, ownerId: 'first', version: 4 }));
    await documents.add(aDocument({ ownerId: 'second', receivedAt: at(-9) }));
    await documents.add(aDocument({ ownerId: 'first' }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('first');
  });

  test('counts the claim of a document with an expired lease as service', async (documents) => {
    const crashed = aDocument({ ownerId: 'crashed' });
    await documents.add(crashed);
    const held = claimed(crashed, at(0), at(1));
    await documents.replace(held);
    await serve(documents, 'other', at(2));
    const again = claimed(held, at(3));
    expect(await documents.replace(again)).to.equal(true);
    await documents.replace(aFailedDocument({ id: crashed.id, ownerId: 'crashed', version: again.version + 1 }));
    await documents.add(aDocument({ ownerId: 'crashed', receivedAt: at(-9) }));
    await documents.add(aDocument({ ownerId: 'other' }));
    expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('other');
  });
};
