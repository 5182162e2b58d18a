import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { BlobInfo, BlobStore } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { rejectionOf } from '../kit/expectations.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { chunksOf, keysIn, readAll, textOf, textSource } from './blobs.ts';
import { describeBlobFaults } from './faults.ts';
import { describeReading } from './reading.ts';
import { describeStoring } from './storing.ts';

const DAY_MS = 86_400_000;

/**
 * Tests every promise of {@link BlobStore} except the limit on memory, because its measurement depends on the garbage
 * collection.
 */
export const describeBlobStore = (name: string, open: Open<BlobStore>, without: Without = {}): void => {
  describeWithTimeout(`${name}, a BlobStore`, 30_000, () => {
    const opened = openForEach(open);
    const store = (): BlobStore => opened().subject;

    for (const size of [0, 1, 40_000, 65_536, 3_000_001]) {
      it(`stores ${size} bytes, returns their number and reads them back`, async () => {
        const bytes = randomBytes(size);
        expect(await store().put('a/blob', chunksOf(bytes))).to.equal(size);
        expect((await readAll(await store().get('a/blob')))?.equals(bytes)).to.equal(true);
        expect((await store().stat('a/blob'))?.byteSize).to.equal(size);
      });
    }

    it('returns `undefined` for a key that was never stored', async () => {
      await store().put('other', textSource('other'));
      expect(await store().get('none')).to.equal(undefined);
      expect(await store().get('none', { start: 0, end: 1 })).to.equal(undefined);
      expect(await store().stat('none')).to.equal(undefined);
    });

    it('does not confuse similar keys', async () => {
      const keys = [
        'a',
        'a/b',
        'a-b',
        'ab',
        'a/b-',
        'a/b/',
        'a/-b',
        'a-/b',
        'b',
        '0',
        'con',
        `z${'/y'.repeat(99)}`,
        'k'.repeat(200),
        `${'k'.repeat(199)}l`,
      ];
      for (const key of keys) await store().put(key, textSource(`under ${key}`));
      for (const key of keys) expect(await textOf(store(), key)).to.equal(`under ${key}`);
      expect(await keysIn(store())).to.deep.equal(keys.toSorted());
      await store().delete('a/b');
      for (const key of keys) expect(await textOf(store(), key)).to.equal(key === 'a/b' ? undefined : `under ${key}`);
    });

    for (const key of [
      '',
      '/a',
      '../a',
      'a/../../b',
      'a//b',
      'A',
      'a_b',
      'a.b',
      'a\0',
      'a\n',
      'é',
      '-a',
      'k'.repeat(201),
    ]) {
      it(`throws a TypeError for the invalid key ${JSON.stringify(key.slice(0, 12))} (${key.length} characters)`, async () => {
        expect(await rejectionOf(() => store().put(key, textSource('x')))).to.be.instanceOf(TypeError);
        expect(await keysIn(store())).to.deep.equal([]);
      });
    }

    describeStoring(store);
    describeReading(store);

    it('deletes a blob; deleting a missing blob succeeds', async () => {
      await store().put('gone', textSource('x'));
      await store().put('kept', textSource('y'));
      await store().delete('gone');
      await store().delete('gone');
      await store().delete('never');
      expect(await store().get('gone')).to.equal(undefined);
      expect(await store().stat('gone')).to.equal(undefined);
      expect(await keysIn(store())).to.deep.equal(['kept']);
    });

    it('lists each blob once, with the same size and time as `stat`', async () => {
      for (let i = 0; i < 60; i++) await store().put(`many/${i}`, textSource('x'.repeat(i)));
      const infos: readonly BlobInfo[] = await collected(store().list(), (info) => info);
      expect(infos.map(({ key }) => key).toSorted()).to.deep.equal(
        Array.from({ length: 60 }, (_, i) => `many/${i}`).toSorted(),
      );
      for (const info of infos) {
        expect(info).to.deep.equal(await store().stat(info.key));
        expect(info.byteSize).to.equal(Number(info.key.slice('many/'.length)));
        expect(Number.isSafeInteger(info.storedAt)).to.equal(true);
      }
    });

    it('returns the time of storing in microseconds', async () => {
      await store().put('timed', textSource('x'));
      const storedAt = (await store().stat('timed'))?.storedAt ?? 0;
      expect(Math.abs(storedAt / 1000 - Date.now()), `${storedAt} µs`).to.be.below(DAY_MS);
    });

    it('lists each older blob once while others are stored and deleted', async () => {
      for (let i = 0; i < 40; i++) await store().put(`old/${i}`, textSource('x'));
      const seen: string[] = [];
      for await (const { key } of store().list()) {
        seen.push(key);
        if (seen.length > 5) continue;
        await store().put(`new/${seen.length}`, textSource('x'));
        await store().delete(key);
      }
      const old = seen.filter((key) => key.startsWith('old/'));
      expect(new Set(old).size).to.equal(40);
      expect(old).to.have.length(40);
    });

    it('passes the check and leaves no blob behind', async () => {
      await store().check();
      expect(await keysIn(store())).to.deep.equal([]);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('sees a blob of the first handle at once, and throws a TypeError for its key', async () => {
        const other = await second();
        await store().put('shared', textSource('by the first'));
        expect(await textOf(other, 'shared')).to.equal('by the first');
        expect(await other.stat('shared')).to.deep.equal(await store().stat('shared'));
        expect(await keysIn(other)).to.deep.equal(['shared']);
        expect(await rejectionOf(() => other.put('shared', textSource('by the second')))).to.be.instanceOf(TypeError);
        await other.delete('shared');
        expect(await store().get('shared')).to.equal(undefined);
      });

      it('lets exactly one of two concurrent puts under one key succeed', async () => {
        const other = await second();
        for (let i = 0; i < 5; i++) {
          const texts = ['first '.repeat(9000), 'second '.repeat(9000)];
          const results = await Promise.allSettled([
            store().put(`candidates/${i}`, chunksOf(Buffer.from(texts[0] ?? ''))),
            other.put(`candidates/${i}`, chunksOf(Buffer.from(texts[1] ?? ''))),
          ]);
          expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
          expect(await textOf(store(), `candidates/${i}`)).to.equal(texts[results[0].status === 'fulfilled' ? 0 : 1]);
        }
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has the stored blobs and not the deleted ones', async () => {
        const bytes = randomBytes(100_000);
        await store().put('lasting', chunksOf(bytes));
        await store().put('deleted', textSource('x'));
        await store().delete('deleted');
        const anew = await reopen();
        expect((await readAll(await anew.get('lasting')))?.equals(bytes)).to.equal(true);
        expect(await keysIn(anew)).to.deep.equal(['lasting']);
      });
    });

    describeBlobFaults(opened, without);
  });
};
