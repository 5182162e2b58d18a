import { parseSearchQuery, type SearchIndex } from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at, sampleId } from '../kit/samples.ts';
import { aSearchEntry } from './samples.ts';

// Each owner id resembles another one: a part of it, in another case, or with characters of query languages.
const owners: readonly string[] = [
  [
    'owner',
    'owner-1',
    'owner-10',
    'owner-11',
    'OWNER-1',
    'owner-1 ',
    ' owner-1',
    'owner 1',
    'owner1',
    'öwner-1',
    'o\u0308wner-1',
  ],
  [
    "own'er",
    'own"er',
    '"owner"',
    'own%',
    'own_',
    '%',
    '_',
    '*',
    'own*',
    'own·er',
    'own_er',
    'a OR b',
    'a',
    'b',
    'canary',
    '-owner',
    '(owner)',
  ],
  [
    '',
    ' ',
    '0',
    '1',
    '2',
    '11',
    '12',
    '1_',
    '1·',
    '1·2',
    '00001',
    '1.0',
    '-1',
    'null',
    '{"$gt":""}',
    sampleId(1),
    sampleId(11),
  ],
].flat();

/** Tests that a search finds only the documents of its owner. */
export const describeSearchIndexIsolation = (opened: () => Opened<SearchIndex>): void =>
  void describe('with many owners', () => {
    it('returns only the documents of the searching owner, for every query', async () => {
      const { subject: index } = opened();
      for (const [i, ownerId] of owners.entries()) {
        const text = `canary${100 + i} canary shared words of ${ownerId}`;
        await index.put(
          aSearchEntry({
            documentId: `document ${i}`,
            ownerId,
            title: text,
            filename: `${ownerId}.pdf`,
            text,
            receivedAt: at(i),
          }),
        );
      }
      const commonQueries = [
        '',
        'canary',
        'can*',
        'c*',
        '"canary shared words"',
        '"canary sha"*',
        'shared -absent',
        '-absent',
        '-absent -nothing',
      ];
      for (const [i, ownerId] of owners.entries()) {
        const search = (q: string) => index.search(ownerId, parseSearchQuery(q), { limit: 200, offset: 0 });
        for (const q of [...commonQueries, `canary${100 + i}`]) {
          expect(await search(q), `${ownerId}: ${q}`).to.deep.equal({ items: [`document ${i}`], total: 1 });
        }
        const other = (i + 7) % owners.length;
        const secret = `canary${100 + other}`;
        const id = (owners[other] ?? '').replaceAll('"', '');
        for (const q of [
          secret,
          `"${secret} canary"`,
          `canary "${secret}"*`,
          `owner:${secret}`,
          `canary OR ${secret}`,
          `"${id}_${secret}"`,
          `"${id}·${secret}"`,
        ]) {
          expect(await search(q), `${ownerId}: ${q}`).to.deep.equal({ items: [], total: 0 });
        }
      }
    });

    it('treats words that look like the id of another owner as ordinary words', async () => {
      const { subject: index } = opened();
      const forged = owners
        .flatMap((ownerId) => [`${ownerId}·canary`, `${ownerId}_canary`, `${ownerId}:canary`, `${ownerId} canary`])
        .join(' ');
      const numbered = Array.from({ length: 40 }, (_, i) =>
        [`${i}_bait`, `${i}·bait`, `${i.toString(36).padStart(5, '0')}_bait`, `owner${i}bait`].join(' '),
      ).join('\n');
      for (const ownerId of ['owner-1', 'owner-2', '1', '2', '11']) {
        await index.put(
          aSearchEntry({
            documentId: `of ${ownerId}`,
            ownerId,
            title: forged,
            filename: numbered,
            text: `${forged} ${numbered}`,
          }),
        );
      }
      for (const ownerId of ['owner-1', 'owner-2', '1', '2', '11']) {
        for (const q of ['bait', 'canary', '1 bait', '"1 bait"', '1_bait', '00001_bait', '2·bait', 'ba*', '-absent']) {
          const page = await index.search(ownerId, parseSearchQuery(q), { limit: 200, offset: 0 });
          expect(page.items, `${ownerId}: ${q}`).to.deep.equal([`of ${ownerId}`]);
          expect(page.total).to.equal(1);
        }
        const { total } = await index.search(ownerId, parseSearchQuery('bait -bait'), { limit: 200, offset: 0 });
        expect(total).to.equal(0);
      }
      for (const ownerId of ['owner', 'owner-3', '0', '01', '3', '12']) {
        expect(await index.search(ownerId, parseSearchQuery('bait'), { limit: 200, offset: 0 }), ownerId).to.deep.equal(
          { items: [], total: 0 },
        );
      }
    });
  });
