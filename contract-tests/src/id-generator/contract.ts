import { expect } from 'chai';
import type { IdGenerator } from '@palimpsest/core';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Tests every promise of {@link IdGenerator}. */
export const describeIdGenerator = (name: string, open: Open<IdGenerator>, without: Without = {}): void => {
  describe(`${name}, an IdGenerator`, () => {
    const opened = openForEach(open);
    const many = (count: number): readonly string[] => Array.from({ length: count }, () => opened().subject.next());

    it('returns lowercase, hyphenated UUIDs of version 7', () => {
      expect(many(5_000).filter((id) => !UUID_V7.test(id))).to.deep.equal([]);
    });

    it('returns ascending ids, also within one millisecond', () => {
      const ids = many(20_000);
      expect(
        ids.findIndex((id, i) => i > 0 && id <= (ids[i - 1] ?? '')),
        'the first id out of order',
      ).to.equal(-1);
    });

    it('returns ascending ids over several turns of the event loop', async () => {
      const ids: string[] = [];
      for (let turn = 0; turn < 20; turn++) {
        ids.push(...many(50));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(ids).to.deep.equal(ids.toSorted());
      expect(new Set(ids).size).to.equal(ids.length);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('returns other ids than a second process', async () => {
        const other = await second();
        const ids = Array.from({ length: 2_000 }, () => [opened().subject.next(), other.next()]).flat();
        expect(new Set(ids).size).to.equal(4_000);
      });
    });
  });
};
