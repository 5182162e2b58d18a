import { expect } from 'chai';
import type { IdGenerator } from '@palimpsest/core';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What every {@link IdGenerator} promises. */
export const describeIdGenerator = (name: string, open: Open<IdGenerator>, without: Without = {}): void => {
  describe(`${name} as an IdGenerator`, () => {
    const opened = openForEach(open);
    const many = (count: number): readonly string[] => Array.from({ length: count }, () => opened().subject.next());

    it('makes lowercase, hyphenated UUIDs of version 7', () => {
      for (const id of many(20_000)) expect(id).to.match(UUID_V7);
    });

    it('makes ids that ascend, however fast they are asked for', () => {
      const ids = many(50_000);
      for (const [i, id] of ids.entries()) if (i > 0) expect(id > (ids[i - 1] ?? ''), `id ${i}`).to.equal(true);
    });

    it('makes ids that ascend over milliseconds', async () => {
      const ids: string[] = [];
      for (const begun = performance.now(); performance.now() - begun < 20;) {
        ids.push(...many(50));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(ids).to.deep.equal(ids.toSorted());
      expect(new Set(ids).size).to.equal(ids.length);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('makes other ids than another process', async () => {
        const other = await second();
        const ids = Array.from({ length: 10_000 }, () => [opened().subject.next(), other.next()]).flat();
        expect(new Set(ids).size).to.equal(20_000);
      });
    });
  });
};
