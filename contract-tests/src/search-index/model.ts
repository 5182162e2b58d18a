import { type SearchIndex, parseSearchQuery } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { ID_COUNT, OWNERS, aTime, anId, anyId } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { strangeTexts } from '../kit/samples.ts';

const WORDS = [
  'harbour',
  'Harbor',
  'Grüße',
  'ﬁsh',
  'fish',
  'a',
  '2024',
  'łódź',
  'naïve',
  'it’s',
  '東京',
  '\u{1F600}',
  'x-ray',
  'old',
  'light',
];

const someText = (random: Random, most: number): string =>
  Array.from({ length: random.below(most) }, () => random.pick(WORDS)).join(random.pick([' ', ', ', '\n', ' - ', '_']));

const aQuery = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => {
    const word = random.pick(WORDS);
    return random.pick([
      word,
      word,
      `-${word}`,
      `"${word} ${random.pick(WORDS)}"`,
      `${word.slice(0, 2)}*`,
      word.toUpperCase(),
    ]);
  }).join(' ');

/** Operations on the search index. The contract suite tests the order of results; this model ignores it. */
export const searchModel: OperationModel<SearchIndex> = () => ({
  put: operation(
    (random) => ({
      documentId: anId(random),
      ownerId: random.pick(OWNERS),
      receivedAt: aTime(random),
      version: random.below(4),
      title: someText(random, 4),
      filename: `${someText(random, 3)}.pdf`,
      text: random.oneIn(6) ? random.pick(strangeTexts) : someText(random, 20),
    }),
    (index, entry) => index.put(entry),
    3,
  ),
  versionOf: operation(anyId, (index, id) => index.versionOf(id)),
  search: operation(
    (random) => ({ owner: random.pick(OWNERS), q: aQuery(random) }),
    async (index, { owner, q }) => {
      const { items, total } = await index.search(owner, parseSearchQuery(q), { limit: 200, offset: 0 });
      return { items: items.toSorted(), total };
    },
    6,
  ),
  scan: operation(
    (random) => ({ after: random.oneIn(3) ? undefined : anId(random), limit: 1 + random.below(ID_COUNT) }),
    (index, { after, limit }) => index.scan(after, limit),
  ),
  remove: operation(anyId, (index, id) => index.remove(id)),
});
