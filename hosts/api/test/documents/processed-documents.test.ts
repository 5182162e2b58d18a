import { expect } from 'chai';
import { acceptedId } from '../documents.ts';
import { blankPng, textPdf } from '../samples.ts';
import { refusal, startService, storedFiles, type TestService, type TestUser } from '../service.ts';
import { detail, finished, TIMESTAMP, type DocumentDetail } from './document-detail.ts';
import { eventually } from '../../../../test/expectations.ts';

describe('documents that a worker processes', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
  });
  after(() => service.close());

  it('extracts the text layer of a PDF with form feeds between the pages', async () => {
    const first = 'The quick brown fox jumps over the lazy dog';
    const second = 'Pack my box with five dozen liquor jugs';
    const id = await acceptedId(await user.upload(textPdf(first, second), 'two.pdf'));
    const done = await finished(user, id);
    expect(done.document.status).to.equal('completed');
    expect(done.document.processed_at).to.match(TIMESTAMP);
    expect(done.ocr).to.deep.include({ engine: 'pdf-text', language: 'eng', revised_text: null, revised_at: null });
    expect(done.ocr?.text.split('\f').map((page) => page.trim())).to.deep.equal([first, second]);
  });

  it('saves revisions and does not change the original text', async () => {
    const id = await acceptedId(await user.upload(textPdf('An original text that must never change'), 'a.pdf'));
    const before = await finished(user, id);
    const save = (text: string): Promise<Response> =>
      user.fetch(`/v1/documents/${id}/ocr`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ revised_text: text }),
      });
    const response = await save('corrected 😀 =1+1');
    const body = (await response.json()) as { ocr: DocumentDetail['ocr']; message: string };
    expect(response.status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['ocr', 'message']);
    expect(body.message).to.equal('Revision saved.');
    expect(Object.keys(body.ocr ?? {})).to.have.members(['engine', 'language', 'text', 'revised_text', 'revised_at']);
    expect(body.ocr?.revised_text).to.equal('corrected 😀 =1+1');
    expect(body.ocr?.revised_at).to.match(TIMESTAMP);
    await save('');
    const after = await detail(user, id);
    expect(after.ocr?.text).to.equal(before.ocr?.text);
    expect(after.ocr?.revised_text).to.equal('');
    expect(
      (await service.composition.ports.revisions.list(id)).map(({ number, text }) => [number, text]),
    ).to.deep.equal([
      [2, ''],
      [1, 'corrected 😀 =1+1'],
    ]);
  });

  for (const [name, body, code] of [
    ['a NUL', JSON.stringify({ revised_text: 'a\0b' }), 'VALIDATION_ERROR'],
    ['a lone surrogate', '{"revised_text":"\\ud800"}', 'VALIDATION_ERROR'],
    ['no text', '{}', 'VALIDATION_ERROR'],
    ['a number', '{"revised_text":1}', 'VALIDATION_ERROR'],
    ['an array', '[]', 'VALIDATION_ERROR'],
    ['more than 5 MiB', JSON.stringify({ revised_text: 'x'.repeat(5 * 1024 * 1024 + 1) }), 'VALIDATION_ERROR'],
  ] as const) {
    it(`refuses a revision with ${name}`, async () => {
      const id = await acceptedId(await user.upload(textPdf('Something to be revised by somebody'), 'a.pdf'));
      await finished(user, id);
      const response = await user.fetch(`/v1/documents/${id}/ocr`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(await refusal(response)).to.include({ status: 400, code });
      expect((await detail(user, id)).ocr?.revised_text).to.equal(null);
    });
  }

  it('accepts a revision of exactly 5 MiB', async () => {
    const id = await acceptedId(await user.upload(textPdf('Something long to be revised'), 'a.pdf'));
    await finished(user, id);
    const text = 'é'.repeat((5 * 1024 * 1024) / 2);
    const response = await user.fetch(`/v1/documents/${id}/ocr`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ revised_text: text }),
    });
    expect(response.status).to.equal(200);
    expect((await detail(user, id)).ocr?.revised_text).to.equal(text);
  });

  it('completes an empty page with empty text', async () => {
    const done = await finished(user, await acceptedId(await user.upload(blankPng(300, 200), 'blank.png')));
    expect(done.document.status).to.equal('completed');
    expect(done.ocr?.text).to.equal('');
  });

  for (const [name, file, filename] of [
    ['a cut PNG', blankPng(500, 500).subarray(0, 60), 'cut.png'],
    ['a JPEG with three bytes', Buffer.from([0xff, 0xd8, 0xff]), 'magic.jpg'],
    ['a PDF with a header only', Buffer.from('%PDF-1.7\n'), 'header.pdf'],
    ['a PDF without pages', textPdf(), 'empty.pdf'],
  ] as const) {
    it(`accepts ${name} by its signature and then fails the document with a message for its owner`, async () => {
      const done = await finished(user, await acceptedId(await user.upload(file, filename)));
      expect(done.document.status).to.equal('failed');
      expect(done.ocr).to.equal(null);
      expect(done.error_message)
        .to.match(/^[A-Z].{15,300}\.$/)
        .and.not.match(/\/|Error|undefined|stack/);
    });
  }

  it('deletes a document during processing and leaves no record and no file', async () => {
    const before = await storedFiles(service);
    const id = await acceptedId(
      await user.upload(
        textPdf(...Array.from({ length: 60 }, (_, i) => `Page number ${i} of a longer document`)),
        'long.pdf',
      ),
    );
    await eventually(async () => (await detail(user, id)).document.status !== 'queued');
    expect((await user.fetch(`/v1/documents/${id}`, { method: 'DELETE' })).status).to.equal(204);
    expect((await user.fetch(`/v1/documents/${id}`)).status).to.equal(404);
    await eventually(async () => (await service.composition.ports.documents.find(id)) === undefined);
    expect(await storedFiles(service)).to.equal(before);
  });
});
