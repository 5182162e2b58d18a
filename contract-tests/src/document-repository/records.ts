import type { Document, DocumentRepository, ProcessingDocument } from '@palimpsest/core';
import { expect } from 'chai';
import { expectTypeError, modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';
import { at, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';

const everyKind: Readonly<Record<string, () => Document>> = {
  queued: () => aDocument(),
  'queued after failed attempts': () =>
    aDocument({ attempts: 3, retries: 2, pageTries: { 1: 1, 12: 2 }, run: sampleId(), version: 9, notBefore: at(99) }),
  'processing, without progress': () => aProcessingDocument(),
  'processing, with progress': () => aProcessingDocument({ pagesDone: 3, pagesTotal: 7, pageTries: { 2: 1 } }),
  completed: () => aCompletedDocument(),
  'failed without a run': () => aFailedDocument(),
  'failed with a run': () => aFailedDocument({ run: sampleId() }),
  deleting: () => aDeletingDocument({ run: sampleId() }),
  'with the largest numbers': () =>
    aDocument({ byteSize: 2 ** 53 - 1, attempts: 2 ** 31, receivedAt: at(7e9), version: 2 ** 31 }),
};

const makeProcessing = (): ProcessingDocument =>
  aProcessingDocument({ id: sampleId(1), run: 'run', pageTries: { 1: 1 } });

/** Tests storing, finding, replacing and removing one record. */
export const describeDocumentRecords = (open: Open<DocumentRepository>, without: Without): void => {
  describe('records', () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('returns `undefined` for any id if nothing was stored', async (documents) => {
      for (const id of unknownIds) expect(await documents.find(id)).to.equal(undefined);
    });

    test('does not confuse similar ids', async (documents) => {
      const document = aDocument({ id: sampleId(1) });
      await documents.add(document);
      await documents.add(aDocument({ id: sampleId(2), ownerId: 'owner-2' }));
      for (const id of [...unknownIds, sampleId(3), sampleId(1).slice(0, -1), `${sampleId(1)} `]) {
        expect(await documents.find(id)).to.equal(undefined);
      }
      expect(await documents.find(sampleId(1))).to.deep.equal(document);
    });

    for (const [kind, make] of Object.entries(everyKind)) {
      test(`returns a document (${kind}) with exactly the fields that it was added with`, async (documents) => {
        const document = make();
        await documents.add(aDocument());
        await documents.add(document);
        expect(await documents.find(document.id)).to.deep.equal(document);
      });

      test(`returns a document (${kind}) with exactly the fields that it was replaced with`, async (documents) => {
        const next = { ...make(), version: 10 };
        const first = aProcessingDocument({ id: next.id, version: 9, pagesTotal: 4, pageTries: { 9: 1 } });
        await documents.add(first);
        expect(await documents.replace(next)).to.equal(true);
        expect(await documents.find(next.id)).to.deep.equal(next);
      });
    }

    test('stores any text unchanged', async (documents) => {
      for (const text of strangeTexts) {
        const document = aFailedDocument({
          ownerId: text,
          title: text,
          originalFilename: text,
          errorMessage: text,
          blobKey: text,
          run: text,
        });
        await documents.add(document);
        expect(await documents.find(document.id)).to.deep.equal(document);
        const completed = aCompletedDocument({ ocr: { engine: text, language: text, pageCount: 1 } });
        await documents.add(completed);
        expect(await documents.find(completed.id)).to.deep.equal(completed);
      }
    });

    test('stores documents under any id', async (documents) => {
      const stored = strangeTexts.map((id, index) => aDocument({ id, title: `number ${index}` }));
      for (const document of stored) await documents.add(document);
      for (const document of stored) expect(await documents.find(document.id)).to.deep.equal(document);
      for (const document of stored) await documents.remove(document.id);
      for (const document of stored) expect(await documents.find(document.id)).to.equal(undefined);
    });

    test('throws a TypeError for a taken id and keeps the document that has it', async (documents) => {
      const document = aDocument();
      await documents.add(document);
      await expectTypeError(() => documents.add(aFailedDocument({ id: document.id, ownerId: 'owner-2' })));
      expect(await documents.find(document.id)).to.deep.equal(document);
    });

    test('lets exactly one of several concurrent documents have an id', async (documents) => {
      const candidates = Array.from({ length: 10 }, (_, i) => aDocument({ id: sampleId(1), title: `candidate ${i}` }));
      const results = await Promise.allSettled(candidates.map((candidate) => documents.add(candidate)));
      const winners = candidates.filter((_, i) => results[i]?.status === 'fulfilled');
      expect(winners).to.have.length(1);
      expect(await documents.find(sampleId(1))).to.deep.equal(winners[0]);
    });

    test('replaces only the document with that id', async (documents) => {
      const document = aDocument();
      const other = aDocument();
      await documents.add(document);
      await documents.add(other);
      expect(await documents.replace(aFailedDocument({ id: document.id, version: 2 }))).to.equal(true);
      expect(await documents.find(document.id)).to.deep.include({ status: 'failed', version: 2 });
      expect(await documents.find(other.id)).to.deep.equal(other);
    });

    test('returns `false` and changes nothing unless the stored version is the previous one', async (documents) => {
      const document = aDocument({ version: 5 });
      await documents.add(document);
      for (const version of [1, 4, 5, 7, 8, 60]) {
        expect(await documents.replace(aFailedDocument({ id: document.id, version })), `version ${version}`).to.equal(
          false,
        );
        expect(await documents.find(document.id)).to.deep.equal(document);
      }
    });

    test('returns `false` for a document that was never stored or was removed', async (documents) => {
      const document = aDocument();
      for (const version of [1, 2]) {
        expect(await documents.replace({ ...document, version })).to.equal(false);
        expect(await documents.find(document.id)).to.equal(undefined);
      }
      await documents.add(document);
      await documents.remove(document.id);
      expect(await documents.replace({ ...document, version: 2 })).to.equal(false);
      expect(await documents.find(document.id)).to.equal(undefined);
      expect(await documents.list('owner-1', { limit: 10, offset: 0 })).to.deep.equal({ items: [], total: 0 });
    });

    test('lets exactly one of many concurrent updates succeed', async (documents) => {
      const document = aDocument();
      await documents.add(document);
      for (let version = 2; version < 6; version++) {
        const candidates = Array.from({ length: 20 }, (_, i) =>
          aProcessingDocument({ id: document.id, version, run: `run ${i}` }),
        );
        const won = await Promise.all(candidates.map((candidate) => documents.replace(candidate)));
        const winners = candidates.filter((_, i) => won[i]);
        expect(winners).to.have.length(1);
        expect(await documents.find(document.id)).to.deep.equal(winners[0]);
      }
    });

    test('removes only the document with the given id; removing it again succeeds', async (documents) => {
      const document = aDocument();
      const other = aDocument();
      await documents.add(document);
      await documents.add(other);
      for (const id of [...unknownIds, document.id, document.id]) await documents.remove(id);
      expect(await documents.find(document.id)).to.equal(undefined);
      expect(await documents.find(other.id)).to.deep.equal(other);
      expect((await documents.list('owner-1', { limit: 10, offset: 0 })).total).to.equal(1);
    });

    test('is not affected when the caller modifies a given object', async (documents) => {
      const added = makeProcessing();
      await documents.add(added);
      modifyDeeply(added);
      expect(await documents.find(sampleId(1))).to.deep.equal(makeProcessing());
      const replaced = { ...makeProcessing(), version: 2 };
      await documents.replace(replaced);
      modifyDeeply(replaced);
      expect(await documents.find(sampleId(1))).to.deep.equal({ ...makeProcessing(), version: 2 });
    });

    test('is not affected when the caller modifies a returned object', async (documents) => {
      const document = aProcessingDocument({ run: 'run', pageTries: { 1: 1 } });
      const deleted = aDeletingDocument({ pageTries: { 1: 1 } });
      await documents.add(document);
      await documents.add(deleted);
      modifyDeeply(await documents.find(document.id));
      expect(await documents.find(document.id)).to.deep.equal(document);
      modifyDeeply(await documents.list('owner-1', { limit: 10, offset: 0 }));
      expect(await documents.list('owner-1', { limit: 10, offset: 0 })).to.deep.equal({ items: [document], total: 1 });
      modifyDeeply(await documents.nextClaimable(at(60)));
      expect(await documents.nextClaimable(at(60))).to.deep.equal(document);
      modifyDeeply(await documents.findPurgeable(at(60), 10));
      expect(await documents.findPurgeable(at(60), 10)).to.deep.equal([deleted]);
    });

    it('passes the check', async () => {
      expect(await opened().subject.check()).to.equal(undefined);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        const document = aDocument();
        await here.add(document);
        expect(await there.find(document.id)).to.deep.equal(document);
        expect((await there.list('owner-1', { limit: 10, offset: 0 })).items).to.deep.equal([document]);
        expect(await there.nextClaimable(at(0))).to.deep.equal(document);
        const next = aProcessingDocument({ id: document.id, version: 2 });
        expect(await there.replace(next)).to.equal(true);
        expect(await here.find(document.id)).to.deep.equal(next);
        expect(await here.replace({ ...document, version: 2 })).to.equal(false);
        await here.remove(document.id);
        expect(await there.find(document.id)).to.equal(undefined);
      });

      it('lets exactly one of many concurrent updates on both handles succeed', async () => {
        const handles = [opened().subject, await second()];
        const document = aDocument();
        await handles[0]?.add(document);
        const candidates = Array.from({ length: 20 }, (_, i) =>
          aProcessingDocument({ id: document.id, version: 2, run: `run ${i}` }),
        );
        const won = await Promise.all(candidates.map(async (candidate, i) => handles[i % 2]?.replace(candidate)));
        const winners = candidates.filter((_, i) => won[i] === true);
        expect(winners).to.have.length(1);
        for (const handle of handles) expect(await handle.find(document.id)).to.deep.equal(winners[0]);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has every document', async () => {
        const stored = Object.values(everyKind).map((make) => make());
        for (const document of stored) await opened().subject.add(document);
        const documents = await reopen();
        for (const document of stored) expect(await documents.find(document.id)).to.deep.equal(document);
      });
    });
  });
};
