import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UseCases } from '@palimpsest/composition';
import type { Revision, TextChange } from '@palimpsest/core';
import type { Router } from 'express';
import { actorOf } from './authenticate.ts';
import { entityTag, expectedVersions } from './entity-tags.ts';
import { jsonBody, REVISION_LIMIT_BYTES } from './json-body.ts';
import { presentChange, presentOcr, presentRevision } from './presenters.ts';
import { parameter, route } from './routing.ts';
import { parseDiffQuery, parseRevision } from './schemas.ts';
import { sendStream, whileWaiting } from './send-bytes.ts';

/** The revisions as JSON, written one by one: together they may be larger than memory. */
async function* revisionsJson(revisions: AsyncIterable<Revision>): AsyncGenerator<string> {
  yield '{"items":[';
  let separator = '';
  for await (const revision of revisions) {
    yield separator + JSON.stringify(presentRevision(revision));
    separator = ',';
  }
  yield ']}';
}

const PIECE_LENGTH = 64 * 1024;

/** The changes as JSON, a piece at a time, so that other work goes on in between. */
async function* changesJson(changes: readonly TextChange[]): AsyncGenerator<string> {
  let piece = '{"changes":[';
  for (const [i, change] of changes.entries()) {
    piece += (i === 0 ? '' : ',') + JSON.stringify(presentChange(change));
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
    await nextTurn();
  }
  yield `${piece}]}`;
}

/** A document's text: revising it, its revisions, and what changed between them. */
export const documentTextsRoutes = (router: Router, useCases: UseCases): void => {
  route(router, '/:id/ocr', {
    put: [
      ...jsonBody(REVISION_LIMIT_BYTES),
      async (req, res) => {
        const { revised_text } = parseRevision(req.body);
        const { ocr, version } = await useCases.reviseOcr(
          actorOf(res),
          parameter(req, 'id'),
          revised_text,
          expectedVersions(req),
        );
        res.set('ETag', entityTag(version)).json({ ocr: presentOcr(ocr), message: 'Revision saved.' });
      },
    ],
  });

  route(router, '/:id/revisions', {
    get: [
      async (req, res) => {
        const revisions = await useCases.listRevisions(actorOf(res), parameter(req, 'id'));
        res.type('json');
        await sendStream(req, res, () => revisionsJson(revisions));
      },
    ],
  });

  route(router, '/:id/revisions/diff', {
    get: [
      async (req, res) => {
        const { from, to } = parseDiffQuery(req.query);
        const changes = await useCases.diffRevisions(actorOf(res), parameter(req, 'id'), from, to, whileWaiting(res));
        res.type('json');
        await sendStream(req, res, () => changesJson(changes));
      },
    ],
  });
};
