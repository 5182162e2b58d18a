import { expect } from 'chai';
import { exampleRequest, operations } from '../described-api.ts';
import { aCompletedDocument, acceptedId } from '../documents.ts';
import { blankPng } from '../samples.ts';
import { startService, type TestService, type TestUser } from '../service.ts';

describe('access to documents: every endpoint whose path has the id of a document', () => {
  // The deletion is last, because after it every other endpoint would answer 404.
  const endpoints = operations
    .filter(({ path }) => path.includes('{id}'))
    .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));

  let service: TestService;
  let owner: TestUser;
  let other: TestUser;
  let completed: string;
  let broken: string;

  before(async () => {
    service = await startService({ worker: true });
    [owner, other] = [await service.signUp(), await service.signUp()];
    completed = await aCompletedDocument(owner);
    broken = await acceptedId(await owner.upload(blankPng().subarray(0, 50), 'broken.png'));
  });
  after(() => service.close());

  /** The status and the body of each endpoint's response, for requests with this id. */
  const responsesTo = async (user: TestUser, id: string): Promise<Readonly<Record<string, string>>> => {
    const responses: Record<string, string> = {};
    for (const endpoint of endpoints) {
      const { method, path, json } = exampleRequest(endpoint, { id });
      const body =
        json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
      const response = await user.fetch(path, { method, ...body });
      responses[endpoint.operation.operationId] = `${response.status} ${await response.text()}`;
    }
    return responses;
  };

  const refused = '404 {"error":{"code":"DOCUMENT_NOT_FOUND","message":"Document not found."}}';
  const allRefused = Object.fromEntries(endpoints.map(({ operation }) => [operation.operationId, refused]));

  it('finds endpoints in the OpenAPI document', () => {
    expect(endpoints.length).to.be.at.least(14);
  });

  it('answers 404 to another account and changes nothing', async () => {
    for (const id of [completed, broken]) expect(await responsesTo(other, id)).to.deep.equal(allRefused);
    for (const id of [completed, broken]) expect((await owner.fetch(`/v1/documents/${id}`)).status).to.equal(200);
    const { items } = (await (await owner.fetch(`/v1/documents/${completed}/revisions`)).json()) as {
      items: unknown[];
    };
    expect(items).to.deep.equal([]);
  });

  it('answers the same 404 for unknown and malformed ids', async () => {
    for (const id of [
      '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee',
      completed.toUpperCase(),
      `{${completed}}`,
      `urn:uuid:${completed}`,
      'a'.repeat(24),
      '..%2f..',
      '%00',
      '%E0%A4%A',
      'x'.repeat(5000),
      '%F0%9F%98%80',
      '__proto__',
      'constructor',
    ])
      expect(await responsesTo(owner, id), id).to.deep.equal(allRefused);
  });
});
