import { claimDocument, defaultWorkRules } from '@palimpsest/core';
import { expect } from 'chai';
import { serve } from '../../src/serve.ts';
import { acceptedId, aCompletedDocument } from '../documents.ts';
import { blankPng, textPdf } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';
import { eventually } from '../../../../test/expectations.ts';

interface StatusEvent {
  readonly event: string;
  readonly id: string;
  readonly data: {
    readonly id: string;
    readonly status: string;
    readonly pages_done: number;
    readonly pages_total: number | null;
  };
}

/** The events of a stream in their order. Ends with the stream. */
async function* eventsOf(response: Response): AsyncGenerator<StatusEvent> {
  let text = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks.filter((each) => !each.startsWith(':'))) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      );
      yield {
        event: fields['event'] ?? '',
        id: fields['id'] ?? '',
        data: JSON.parse(fields['data'] ?? 'null') as StatusEvent['data'],
      };
    }
  }
}

/** Waits for the end of a stream and returns all of its events. */
const allOf = async (response: Response): Promise<readonly StatusEvent[]> => {
  const events: StatusEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
};

const statusesOf = (events: readonly StatusEvent[]): readonly string[] => events.map(({ data }) => data.status);

describe('the event stream of a document', () => {
  let service: TestService;
  let user: TestUser;
  let working: TestService; // with a worker
  const follow = (id: string, headers: Record<string, string> = {}, by = user): Promise<Response> =>
    by.fetch(`/v1/documents/${id}/events`, { headers });

  before(async () => {
    service = await startService();
    user = await service.signUp();
    working = await startService({ worker: true });
  });
  after(() => Promise.all([service.close(), working.close()]));

  it('sends the status at once and each later change, and ends when the document is completed', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'a.png'));
    const response = await follow(id);
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const events = eventsOf(response);
    const next = async (): Promise<StatusEvent['data']> => ((await events.next()).value as StatusEvent).data;
    expect(await next()).to.deep.equal({ id, status: 'queued', pages_done: 0, pages_total: null });
    // The test changes only the database, as another process would do.
    const { documents } = service.composition.ports;
    const claimed = await claimDocument(service.composition.ports, defaultWorkRules)();
    if (claimed?.id !== id) throw new Error('another document was claimed');
    expect(await next()).to.deep.equal({ id, status: 'processing', pages_done: 0, pages_total: null });
    await documents.replace({ ...claimed, pagesDone: 1, pagesTotal: 2, version: claimed.version + 1 });
    expect(await next()).to.deep.equal({ id, status: 'processing', pages_done: 1, pages_total: 2 });
    const { lease: _lease, pagesDone: _done, pagesTotal: _total, ...fields } = claimed;
    const ocr = { engine: 'tesseract.js', language: 'eng', pageCount: 2 };
    await documents.replace({
      ...fields,
      status: 'completed',
      processedAt: claimed.receivedAt,
      ocr,
      version: claimed.version + 2,
    });
    expect(await next()).to.deep.equal({ id, status: 'completed', pages_done: 2, pages_total: 2 });
    expect((await events.next()).done).to.equal(true);
  });

  it('sends one event for a completed document and answers 204 to a client that has this event', async () => {
    const someone = await working.signUp();
    const id = await aCompletedDocument(someone);
    const events = await allOf(await follow(id, {}, someone));
    expect(statusesOf(events)).to.deep.equal(['completed']);
    expect(events[0]?.event).to.equal('status');
    const last = events[0]?.id ?? '';
    expect((await follow(id, { 'last-event-id': last }, someone)).status).to.equal(204);
    expect(statusesOf(await allOf(await follow(id, { 'last-event-id': '1' }, someone)))).to.deep.equal(['completed']);
  });

  it('ends with completed or failed when a worker processes the document', async () => {
    const someone = await working.signUp();
    const id = await acceptedId(
      await someone.upload(
        textPdf(...Array.from({ length: 5 }, (_, i) => `This is page number ${i} of a document`)),
        'five.pdf',
      ),
    );
    const statuses = statusesOf(await allOf(await follow(id, {}, someone)));
    expect(statuses.at(-1)).to.equal('completed');
    const failing = await acceptedId(await someone.upload(textPdf('x').subarray(0, 100), 'cut.pdf'));
    expect(statusesOf(await allOf(await follow(failing, {}, someone))).at(-1)).to.equal('failed');
  });

  it('ends when the document is deleted or the session ends', async () => {
    const someone = await service.signUp();
    const [first, second] = [
      await acceptedId(await someone.upload(blankPng(), 'a.png')),
      await acceptedId(await someone.upload(blankPng(), 'b.png')),
    ];
    const [one, two] = [await follow(first, {}, someone), await follow(second, {}, someone)];
    await someone.fetch(`/v1/documents/${first}`, { method: 'DELETE' });
    expect(statusesOf(await allOf(one))).to.deep.equal(['queued']);
    await someone.fetch('/v1/auth/logout', { method: 'POST' });
    expect(statusesOf(await allOf(two))).to.deep.equal(['queued']);
  });

  it('allows 50 open streams per account and app; a closed stream frees its slot', async () => {
    const someone = await service.signUp();
    const id = await acceptedId(await someone.upload(blankPng(), 'a.png'));
    const open: { readonly stop: AbortController; readonly response: Response }[] = []; // a collected response closes its stream
    for (let i = 0; i < 50; i++) {
      const stop = new AbortController();
      open.push({ stop, response: await someone.fetch(`/v1/documents/${id}/events`, { signal: stop.signal }) });
    }
    expect(open.map(({ response }) => response.status)).to.deep.equal(Array(50).fill(200));
    const refused = await follow(id, {}, someone);
    expect(refused.headers.get('retry-after')).to.equal('5');
    expect(await refusal(refused)).to.include({ status: 429, code: 'RATE_LIMITED' });
    const otherApp = await serve(service.composition);
    const elsewhere = new AbortController();
    const init = { headers: { authorization: `Bearer ${someone.token}` }, signal: elsewhere.signal };
    expect((await fetch(`${otherApp.url}/v1/documents/${id}/events`, init)).status).to.equal(200);
    elsewhere.abort();
    await otherApp.stop(0);
    const mine = await acceptedId(await user.upload(blankPng(), 'a.png'));
    const another = new AbortController();
    expect((await user.fetch(`/v1/documents/${mine}/events`, { signal: another.signal })).status).to.equal(200);
    another.abort();
    open.pop()?.stop.abort();
    const next = new AbortController();
    await eventually(
      async () => (await someone.fetch(`/v1/documents/${id}/events`, { signal: next.signal })).status === 200,
    );
    next.abort();
    for (const { stop, response } of open) {
      expect(response.body?.locked).to.equal(false);
      stop.abort();
    }
  });

  it('ends when the service stops', async () => {
    const stopping = await startService();
    const someone = await stopping.signUp();
    const id = await acceptedId(await someone.upload(blankPng(), 'a.png'));
    const events = allOf(await follow(id, {}, someone));
    await stopping.close(30_000);
    expect(statusesOf(await events)).to.deep.equal(['queued']);
  });

  it('answers 404 for a document of another account', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'a.png'));
    expect(await refusal(await follow(id, {}, await service.signUp()))).to.include({
      status: 404,
      code: 'DOCUMENT_NOT_FOUND',
    });
    expect(await refusal(await fetch(`${service.url}/v1/documents/${id}/events`))).to.include({ status: 401 });
  });
});
