import { expect } from 'chai';
import { deleteDocument, markDeleted, cleanUp, removeOrphanedFiles } from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { ada, aWorld, instead } from '../../world.ts';

const CONTENT = { pages: [{ text: 'x' }] };

describe('cleanUp', () => {
  it('finishes a deletion that had to wait for the end of a lease', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    const held = await world.claim();
    await deleteDocument(world.ports)(ada, document.id);
    expect((await cleanUp(world.ports)()).documentsPurged).to.equal(0);
    world.memory.clock.set(held.lease.expiresAt);
    expect((await cleanUp(world.ports)()).documentsPurged).to.equal(1);
    expect(await world.memory.documents.find(document.id)).to.equal(undefined);
    expect(await world.memory.blobs.stat(document.blobKey)).to.equal(undefined);
  });

  it('removes expired sessions and keys, and reports their number', async () => {
    const { ports, memory } = aWorld();
    const now = memory.clock.now();
    for (const [id, expiresAt] of [
      ['old', now],
      ['live', now + 1],
    ] as const) {
      await ports.sessions.add({ id, accountId: 'ada', refreshTokenDigest: id, createdAt: now, expiresAt });
      await ports.idempotency.begin(
        { accountId: 'ada', key: id, fingerprint: 'f', resourceId: id, heldUntil: expiresAt, expiresAt },
        now - 1,
      );
    }
    expect(await cleanUp(ports)()).to.deep.equal({
      documentsPurged: 0,
      accountsRemoved: 0,
      recordsExpired: 2,
    });
    expect(await ports.sessions.find('old')).to.equal(undefined);
    expect(await ports.sessions.find('live')).not.to.equal(undefined);
    const again = { accountId: 'ada', fingerprint: 'another', resourceId: 'r', heldUntil: now + 9, expiresAt: now + 9 };
    expect((await ports.idempotency.begin({ ...again, key: 'live' }, now)).kind).to.equal('other');
    expect((await ports.idempotency.begin({ ...again, key: 'old' }, now)).kind).to.equal('begun');
  });

  it('keeps records of mails and mailed tokens for 30 days, so that no late job sends a mail again or renews a token', async () => {
    const { ports, memory } = aWorld();
    const now = memory.clock.now();
    await ports.mailLedger.begin('mail', now);
    await ports.mailLedger.finish('mail', 'sent');
    await ports.accountTokens.issue({
      accountId: 'ada',
      purpose: 'verify-email',
      digest: 'd',
      requestedAt: now,
      expiresAt: now,
    });
    memory.clock.advance(30 * 24 * 3_600_000 - 1);
    expect((await cleanUp(ports)()).recordsExpired).to.equal(0);
    expect((await ports.mailLedger.begin('mail', memory.clock.now())).outcome).to.equal('sent');
    memory.clock.advance(2);
    expect((await cleanUp(ports)()).recordsExpired).to.equal(2);
    expect((await ports.mailLedger.begin('mail', memory.clock.now())).outcome).to.equal(undefined);
  });

  it('removes the records of closed accounts after a day, and reports their number', async () => {
    const { ports, memory } = aWorld();
    for (const id of ['ada', 'bob']) {
      await ports.accounts.add({
        id,
        email: `${id}@example.org`,
        passwordHash: 'h',
        emailVerified: false,
        createdAt: 1,
      });
      await ports.accounts.close(id, memory.clock.now());
      memory.clock.advance(3_600_000);
    }
    memory.clock.advance(22 * 3_600_000);
    expect((await cleanUp(ports)()).accountsRemoved).to.equal(1);
    expect(await ports.accounts.closed()).to.have.length(1);
    memory.clock.advance(3_600_000);
    expect((await cleanUp(ports)()).accountsRemoved).to.equal(1);
    expect(await cleanUp(ports)()).to.deep.equal({
      documentsPurged: 0,
      accountsRemoved: 0,
      recordsExpired: 0,
    });
  });

  it('runs all parts if one fails, and throws its error', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const documents = [await world.upload(CONTENT), await world.upload(CONTENT)];
    const down = new Error('the store is down');
    const blobs = instead(memory.blobs, {
      delete: async (key: string) => (key === documents[0]?.blobKey ? Promise.reject(down) : memory.blobs.delete(key)),
    });
    for (const document of documents) await memory.documents.replace(markDeleted(document, memory.clock.now()));
    for (const id of ['ada', 'bob']) {
      await ports.accounts.add({
        id,
        email: `${id}@example.org`,
        passwordHash: 'h',
        emailVerified: false,
        createdAt: 1,
      });
      await ports.accounts.close(id, 0);
    }
    await ports.sessions.add({ id: 'old', accountId: 'eve', refreshTokenDigest: 'd', createdAt: 0, expiresAt: 1 });
    const thrown = await cleanUp({ ...ports, blobs })().catch((error: unknown) => error);
    expect(thrown).to.equal(down);
    expect(await memory.documents.find(documents[0]?.id ?? '')).not.to.equal(undefined);
    expect(await memory.documents.find(documents[1]?.id ?? '')).to.equal(undefined);
    expect(await ports.accounts.closed()).to.deep.equal([]);
    expect(await ports.sessions.find('old')).to.equal(undefined);
  });

  it('removes files without a document that are an hour old, and no others', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    const orphan = await world.receive(toyFile(CONTENT));
    world.memory.clock.advance(3_600_001);
    const young = await world.receive(toyFile(CONTENT));
    expect(await removeOrphanedFiles(world.ports)()).to.equal(1);
    expect(await world.memory.blobs.stat(orphan.blobKey)).to.equal(undefined);
    expect(await world.memory.blobs.stat(young.blobKey)).not.to.equal(undefined);
    expect(await world.memory.blobs.stat(document.blobKey)).not.to.equal(undefined);
  });

  it('keeps all files and reports it if most belong to no document, as with the database of another service', async () => {
    const world = aWorld();
    await world.upload(CONTENT);
    const strangers = [await world.receive(toyFile(CONTENT)), await world.receive(toyFile(CONTENT))];
    world.memory.clock.advance(3_600_001);
    const said: string[] = [];
    const faults = { report: (error: unknown, doing: string) => void said.push(`${doing}: ${String(error)}`) };
    expect(await removeOrphanedFiles({ ...world.ports, faults })()).to.equal(0);
    for (const { blobKey } of strangers) expect(await world.memory.blobs.stat(blobKey)).not.to.equal(undefined);
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/2 stored files belong to no document, and only 1 to a document/);
    await world.upload(CONTENT);
    world.memory.clock.advance(3_600_001);
    expect(await removeOrphanedFiles({ ...world.ports, faults })()).to.equal(2);
    expect(said).to.have.length(1);
  });
});
