import { aKeyedRequest, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

const EXPIRED = 1_100;

await describeOnMongo('Expired records in MongoDB', (server) => {
  const database = databaseForSuite(server);

  it('keeps the newest 1,000 used tokens of a session', async function () {
    this.timeout(120_000);
    const { sessions } = await database().open();
    await sessions.add({ id: 's', accountId: 'a', refreshTokenDigest: '0', createdAt: 0, expiresAt: 100 });
    const { db } = await database().connect();
    const used = Array.from({ length: 999 }, (_, i) => ({ digest: `old ${i}`, usedAt: i, expiresAt: 100, usedBy: '' }));
    await db.collection<{ _id: string }>('sessions').updateOne({ _id: 's' }, { $set: { used } });
    for (let n = 0; n < 3; n++) {
      expect(
        await sessions.rotate('s', { from: String(n), to: String(n + 1), usedAt: 1_000 + n, expiresAt: 100 }),
      ).to.equal(true);
    }
    expect(
      (await db.collection<{ _id: string; used: unknown[] }>('sessions').findOne({ _id: 's' }))?.used,
    ).to.have.length(1_000);
    for (const digest of ['old 2', '0', '2'])
      expect((await sessions.findByRefreshToken(digest))?.session.id, digest).to.equal('s');
    for (const digest of ['old 0', 'old 1'])
      expect(await sessions.findByRefreshToken(digest), digest).to.equal(undefined);
  });

  it('removes and counts more expired records than one batch has', async function () {
    this.timeout(60_000);
    const { idempotency, sessions } = await database().open();
    const { db } = await database().connect();
    const { accountId, key: _key, ...request } = aKeyedRequest({ expiresAt: at(0) });
    const rows = Array.from({ length: EXPIRED }, (_, i) => ({
      _id: JSON.stringify([accountId, i]),
      accountId,
      ...request,
      hold: '',
    }));
    await db.collection<{ _id: string }>('keyed_requests').insertMany(rows);
    expect(await idempotency.removeExpired(at(0))).to.equal(EXPIRED);
    expect(await idempotency.removeExpired(at(0))).to.equal(0);
    for (let i = 0; i < 120; i++) {
      await sessions.add({ id: `s${i}`, accountId: 'a', refreshTokenDigest: `${i}`, createdAt: 0, expiresAt: 100 });
      await sessions.rotate(`s${i}`, { from: `${i}`, to: `next ${i}`, usedAt: 1, expiresAt: 1_000 });
    }
    expect(await sessions.removeExpired(100)).to.equal(0);
    expect(await db.collection('sessions').countDocuments({ 'used.0': { $exists: true } })).to.equal(0);
    expect(await sessions.removeExpired(1_000)).to.equal(120);
  });
});
