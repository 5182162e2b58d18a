import { expect } from 'chai';
import { aCompletedDocument, acceptedId } from '../documents.ts';
import { blankPng } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

// The paths of everything that is made from the text or the pages of a document.
const paths = [
  '/pages',
  '/pages/1/words',
  '/pages/1/image',
  '/searchable-pdf',
  '/export?format=docx',
  '/export?format=xlsx',
  '/revisions',
  '/revisions/diff',
];

describe('requests for pages, exports and revisions', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
  });
  after(() => service.close());

  it('get DOCUMENT_NOT_COMPLETED while the document is queued', async () => {
    const idle = await startService(); // without a worker
    const owner = await idle.signUp();
    const id = await acceptedId(await owner.upload(blankPng(), 'a.png'));
    for (const path of paths) {
      expect(await refusal(await owner.fetch(`/v1/documents/${id}${path}`)), path).to.include({
        status: 400,
        code: 'DOCUMENT_NOT_COMPLETED',
      });
    }
    await idle.close();
  });

  it('get 404 for a document of another account and for unknown and malformed ids', async () => {
    const id = await aCompletedDocument(user);
    const other = await service.signUp();
    const unknown = '0190a000-0000-7000-8000-000000000000';
    for (const path of [...paths, '/events', '/download']) {
      expect(await refusal(await other.fetch(`/v1/documents/${id}${path}`)), path).to.deep.equal({
        status: 404,
        code: 'DOCUMENT_NOT_FOUND',
        message: 'Document not found.',
      });
      for (const strange of [unknown, 'x', id.toUpperCase(), '%00', '..%2f', '%E0%A4%A']) {
        expect(await refusal(await user.fetch(`/v1/documents/${strange}${path}`)), `${strange}${path}`).to.include({
          status: 404,
          code: 'DOCUMENT_NOT_FOUND',
        });
      }
    }
  });
});
