import { expect } from 'chai';
import { aCompletedDocument, acceptedId, finalStatus } from '../documents.ts';
import { padded, textPdf } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

describe('reprocessing', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
  });
  after(() => service.close());

  it('puts a failed document back into the queue', async () => {
    const failed = await acceptedId(await user.upload(padded(textPdf('x').subarray(0, 300), 400), 'cut.pdf'));
    expect(await finalStatus(user, failed)).to.equal('failed');
    const response = await user.fetch(`/v1/documents/${failed}/reprocess`, { method: 'POST' });
    expect(response.status).to.equal(202);
    const { document } = (await response.json()) as { document: Record<string, string> };
    expect(Object.keys(document)).to.have.members(['id', 'status', 'received_at']);
    expect(document).to.include({ id: failed, status: 'queued' });
    expect(await finalStatus(user, failed)).to.equal('failed');
  });

  it('refuses a document that did not fail and a document of another account', async () => {
    const id = await aCompletedDocument(user);
    const again = (by: TestUser): Promise<Response> => by.fetch(`/v1/documents/${id}/reprocess`, { method: 'POST' });
    expect(await refusal(await again(user))).to.include({ status: 409, code: 'DOCUMENT_NOT_FAILED' });
    expect(await refusal(await again(await service.signUp()))).to.include({ status: 404, code: 'DOCUMENT_NOT_FOUND' });
  });
});
