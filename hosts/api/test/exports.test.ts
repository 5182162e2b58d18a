import { createHash } from 'node:crypto';
import { parse } from 'content-disposition';
import { expect } from 'chai';
import type { PageText } from '@palimpsest/core';
import { unzipSync } from 'fflate';
import { aRead, acceptedId, ended, jsonOf, revise } from './reading.ts';
import { blankPng, padded, textPdf } from './samples.ts';
import { eventually, refusal, startService, storedFiles, type TestService, type TestUser } from './service.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const types = { docx: `${OFFICE}.wordprocessingml.document`, xlsx: `${OFFICE}.spreadsheetml.sheet` } as const;
const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

interface PageView {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly confidence: number;
  readonly source: string;
  readonly text: string;
}

interface WordView {
  readonly text: string;
  readonly confidence: number;
  readonly bbox: readonly [number, number, number, number];
}

const WIDTH = 620;
const HEIGHT = 877;

/** The result of the OCR engine in these tests: four lines of six words. */
const SCANNED: PageText = (() => {
  const words = Array.from({ length: 24 }, (_, i) => {
    const [x, y] = [40 + (i % 6) * 90, 60 + Math.floor(i / 6) * 40];
    return {
      text: `word${i}`,
      confidence: 0.9,
      bbox: [x, y, x + 70, y + 20] as const,
      line: Math.floor(i / 6),
      block: 0,
    };
  });
  const lines = Array.from({ length: 4 }, (_, i) => words.slice(6 * i, 6 * i + 6).map(({ text }) => text));
  return { text: lines.map((line) => line.join(' ')).join('\n'), confidence: 0.9, words };
})();

describe('exports, pages and revisions over HTTP', () => {
  let service: TestService;
  let user: TestUser;
  let other: TestUser;
  let id: string;
  let waiting: string;
  const get = (rest: string, of = id, by = user): Promise<Response> => by.fetch(`/v1/documents/${of}${rest}`);
  const everything = [
    '/pages',
    '/pages/1/words',
    '/pages/1/image',
    '/searchable-pdf',
    '/export?format=docx',
    '/export?format=xlsx',
    '/revisions',
    '/revisions/diff',
  ];

  before(async () => {
    service = await startService({ worker: true, ocr: SCANNED });
    [user, other] = [await service.signUp(), await service.signUp()];
    id = await acceptedId(await user.upload(blankPng(WIDTH, HEIGHT), 'scan.png', 'Harbour & "sea" / <1>'));
    expect(await ended(user, id)).to.equal('completed');
  });
  after(() => service.close());

  describe('of a document that is not completed', () => {
    let idle: TestService;
    before(async () => {
      idle = await startService();
      const someone = await idle.signUp();
      waiting = await acceptedId(await someone.upload(blankPng(), 'a.png'));
      for (const rest of everything) {
        expect(await refusal(await someone.fetch(`/v1/documents/${waiting}${rest}`)), rest).to.include({
          status: 400,
          code: 'DOCUMENT_NOT_COMPLETED',
        });
      }
    });
    after(() => idle.close());

    it('are refused with 400 for the owner and with 404 for everybody else', async () => {
      for (const rest of [...everything, '/events', '/download']) {
        const mine = await refusal(await get(rest, waiting));
        expect(await refusal(await get(rest, id, other)), rest).to.deep.equal({
          status: 404,
          code: 'DOCUMENT_NOT_FOUND',
          message: 'Document not found.',
        });
        expect(mine, rest).to.include({ status: 404 });
        for (const strange of ['x', id.toUpperCase(), '%00', '..%2f', '%E0%A4%A']) {
          expect(await refusal(await get(rest, strange)), `${strange}${rest}`).to.include({
            status: 404,
            code: 'DOCUMENT_NOT_FOUND',
          });
        }
      }
    });
  });

  it('lists the pages with exactly the fields of the interface', async () => {
    const { pages } = await jsonOf<{ pages: PageView[] }>(await get('/pages'));
    expect(pages).to.have.length(1);
    expect(Object.keys(pages[0] ?? {})).to.have.members([
      'number',
      'width',
      'height',
      'rotation',
      'confidence',
      'source',
      'text',
    ]);
    expect(pages[0]).to.include({ number: 1, width: WIDTH, rotation: 0, source: 'ocr' });
  });

  it('lists words with boxes inside the page image', async () => {
    const { pages } = await jsonOf<{ pages: PageView[] }>(await get('/pages'));
    const { words } = await jsonOf<{ words: WordView[] }>(await get('/pages/1/words'));
    expect(words.length).to.be.above(20);
    expect(pages[0]?.text.split(/\s+/).filter((word) => word !== '')).to.deep.equal(words.map(({ text }) => text));
    const png = Buffer.from(await bytesOf(await get('/pages/1/image')));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([pages[0]?.width, pages[0]?.height]);
    for (const {
      bbox: [x0, y0, x1, y1],
      confidence,
    } of words) {
      expect(
        0 <= x0 && x0 < x1 && x1 <= (pages[0]?.width ?? 0) && 0 <= y0 && y0 < y1 && y1 <= (pages[0]?.height ?? 0),
      ).to.equal(true);
      expect(confidence).to.be.within(0, 1);
    }
  });

  it('answers PAGE_NOT_FOUND for every number that no page has', async () => {
    for (const number of ['0', '2', '-1', '1.0', '01', '1e0', '+1', 'x', '%20', '99999999999999999999']) {
      for (const part of ['words', 'image']) {
        expect(await refusal(await get(`/pages/${number}/${part}`)), number).to.include({
          status: 404,
          code: 'PAGE_NOT_FOUND',
        });
      }
    }
  });

  it('returns a searchable PDF whose text layer has the same words after a new upload', async () => {
    const response = await get('/searchable-pdf');
    expect(response.headers.get('content-type')).to.equal('application/pdf');
    expect(parse(response.headers.get('content-disposition') ?? '')).to.deep.include({
      type: 'attachment',
      parameters: { filename: 'Harbour & sea - 1.pdf' },
    });
    const pdf = await bytesOf(response);
    const again = await acceptedId(await user.upload(pdf, 'again.pdf'));
    expect(await ended(user, again)).to.equal('completed');
    const read = async (which: string): Promise<string[]> => {
      const { words } = await jsonOf<{ words: WordView[] }>(await get('/pages/1/words', which));
      return words.map(({ text }) => text);
    };
    const { ocr } = await jsonOf<{ ocr: { engine: string } }>(await get('', again));
    expect(ocr.engine).to.equal('pdf-text');
    expect(await read(again)).to.deep.equal(await read(id));
  });

  for (const format of ['docx', 'xlsx'] as const) {
    it(`exports the current text as ${format} with the title as file name`, async () => {
      const revised = await aRead(user, ['Page one of a document with some words'], 'Ünïcode "title" / 1: 漢字');
      await revise(user, revised, `=1+1 corrected & <checked>`);
      const response = await get(`/export?format=${format}`, revised);
      expect(response.headers.get('content-type')).to.equal(types[format]);
      const { type, parameters } = parse(response.headers.get('content-disposition') ?? '');
      expect([type, parameters['filename']]).to.deep.equal(['attachment', `Ünïcode title - 1- 漢字.${format}`]);
      const parts = Object.entries(unzipSync(await bytesOf(response))).map(
        ([name, bytes]) => [name, new TextDecoder().decode(bytes)] as const,
      );
      const all = parts.map(([, text]) => text).join('\n');
      expect(all).to.include('=1+1 corrected &amp; &lt;checked&gt;');
      expect(all).not.to.include('Page one of');
      expect(all).not.to.match(/TargetMode="External"|<f>|<f /);
      const plain = await bytesOf(await get(`/export?format=${format}&formatted=false`, revised));
      const body = Object.entries(unzipSync(plain)).filter(([name]) =>
        /document\.xml$|sheet\d+\.xml$|sharedStrings/.test(name),
      );
      const text = body.map(([, bytes]) => new TextDecoder().decode(bytes)).join('\n');
      expect(text).to.include('corrected').and.not.include('漢字');
    });
  }

  it('refuses unknown export formats and malformed parameters', async () => {
    for (const query of [
      '',
      '?format=',
      '?format=pdf',
      '?format=DOCX',
      '?format=docx&format=xlsx',
      '?formatted=true',
      '?format=docx&formatted=yes',
      '?format=docx&formatted=',
    ]) {
      const answer = await refusal(await get(`/export${query}`));
      expect(answer, query).to.include({ status: 400, code: 'VALIDATION_ERROR' });
      expect(answer.message, query).to.match(/^format(ted)?: /);
    }
  });

  it('lists all revisions newest first and compares any two', async () => {
    const revised = await aRead(user, ['one two three four five six seven']);
    expect(await jsonOf(await get('/revisions', revised))).to.deep.equal({ items: [] });
    expect(await jsonOf(await get('/revisions/diff', revised))).to.deep.equal({
      changes: [{ op: 'equal', text: 'one two three four five six seven' }],
    });
    await revise(user, revised, 'one two three');
    await revise(user, revised, 'one 2 three');
    const { items } = await jsonOf<{ items: Record<string, unknown>[] }>(await get('/revisions', revised));
    expect(items.map(({ number, text }) => [number, text])).to.deep.equal([
      [2, 'one 2 three'],
      [1, 'one two three'],
    ]);
    expect(Object.keys(items[0] ?? {})).to.deep.equal(['number', 'revised_at', 'text']);
    expect(await jsonOf(await get('/revisions/diff?from=1&to=2', revised))).to.deep.equal({
      changes: [
        { op: 'equal', text: 'one ' },
        { op: 'delete', text: 'two' },
        { op: 'insert', text: '2' },
        { op: 'equal', text: ' three' },
      ],
    });
    for (const query of ['?from=3', '?to=3', '?from=99999999']) {
      expect(await refusal(await get(`/revisions/diff${query}`, revised)), query).to.include({
        status: 404,
        code: 'REVISION_NOT_FOUND',
      });
    }
    for (const query of ['?from=-1', '?to=x', '?from=1.5', '?from=', '?to=1&to=2']) {
      expect(await refusal(await get(`/revisions/diff${query}`, revised)), query).to.include({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it('answers FILE_NOT_STORED when the original file is missing, and still exports the text', async () => {
    const gone = await aRead(user, ['A page whose file will be gone in a moment']);
    await service.composition.ports.blobs.delete((await service.composition.ports.documents.find(gone))?.blobKey ?? '');
    for (const rest of ['/pages/1/image', '/searchable-pdf', '/download']) {
      expect(await refusal(await get(rest, gone)), rest).to.include({ status: 400, code: 'FILE_NOT_STORED' });
    }
    expect((await get('/export?format=docx', gone)).status).to.equal(200);
    expect((await get('/pages', gone)).status).to.equal(200);
  });

  it('stays available after clients disconnect during a response', async () => {
    for (const rest of ['/export?format=xlsx', '/searchable-pdf', '/pages/1/image', '/download']) {
      const stop = new AbortController();
      const response = await user.fetch(`/v1/documents/${id}${rest}`, { signal: stop.signal });
      await response.body?.getReader().read();
      stop.abort();
    }
    expect((await get('')).status).to.equal(200);
  });

  describe('reprocessing', () => {
    it('puts a failed document back into the queue', async () => {
      const failed = await acceptedId(await user.upload(padded(textPdf('x').subarray(0, 300), 400), 'cut.pdf'));
      expect(await ended(user, failed)).to.equal('failed');
      const response = await user.fetch(`/v1/documents/${failed}/reprocess`, { method: 'POST' });
      expect(response.status).to.equal(202);
      const { document } = (await response.json()) as { document: Record<string, string> };
      expect(Object.keys(document)).to.have.members(['id', 'status', 'received_at']);
      expect(document).to.include({ id: failed, status: 'queued' });
      expect(await ended(user, failed)).to.equal('failed');
    });

    it('refuses a document that did not fail and a document of another account', async () => {
      const again = (by: TestUser): Promise<Response> => by.fetch(`/v1/documents/${id}/reprocess`, { method: 'POST' });
      expect(await refusal(await again(user))).to.include({ status: 409, code: 'DOCUMENT_NOT_FAILED' });
      expect(await refusal(await again(other))).to.include({ status: 404, code: 'DOCUMENT_NOT_FOUND' });
    });
  });
});

describe('uploads with an idempotency key', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService();
    user = await service.signUp();
  });
  after(() => service.close());

  const upload = (
    key: string,
    { content = blankPng(), name = 'scan.png', title }: { content?: Uint8Array; name?: string; title?: string } = {},
  ): Promise<Response> => {
    const form = new FormData();
    if (title !== undefined) form.set('title', title);
    form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
    return user.fetch('/v1/documents', { method: 'POST', headers: { 'idempotency-key': key }, body: form });
  };
  const count = async (): Promise<number> =>
    (await jsonOf<{ paging: { total: number } }>(await user.fetch('/v1/documents'))).paging.total;

  it('a repeat gets the first answer again and creates no second document or file', async () => {
    const [documents, files] = [await count(), await storedFiles(service)];
    const first = await (await upload('key-1')).text();
    const again = await upload('key-1');
    expect([again.status, await again.text()]).to.deep.equal([200, first]);
    expect([await count(), await storedFiles(service)]).to.deep.equal([documents + 1, files + 1]);
  });

  it('another upload with the same key is refused and stores nothing', async () => {
    await upload('key-2');
    const [documents, files] = [await count(), await storedFiles(service)];
    for (const change of [{ content: blankPng(50) }, { name: 'other.png' }, { title: 'other' }]) {
      expect(await refusal(await upload('key-2', change))).to.include({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    expect([await count(), await storedFiles(service)]).to.deep.equal([documents, files]);
  });

  it('8 concurrent uploads with one key create one document', async () => {
    const [documents, files] = [await count(), await storedFiles(service)];
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload('key-3')));
    const ids = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 200) ids.add(await acceptedId(answer));
      else {
        expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
        expect(await refusal(answer)).to.include({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' });
      }
    }
    expect(ids.size).to.equal(1);
    expect([
      await count(),
      await eventually(async () => ((await storedFiles(service)) === files + 1 ? files + 1 : undefined)),
    ]).to.deep.equal([documents + 1, files + 1]);
  });

  it('a malformed key is refused', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'é']) {
      const [documents, files] = [await count(), await storedFiles(service)];
      expect(await refusal(await upload(key)), key).to.include({ status: 400, code: 'VALIDATION_ERROR' });
      expect([await count(), await storedFiles(service)]).to.deep.equal([documents, files]);
    }
  });

  it('a key can be used again after a refused upload', async () => {
    expect(await refusal(await upload('key-4', { title: 'x'.repeat(301) }))).to.include({ status: 400 });
    expect((await upload('key-4')).status).to.equal(200);
  });

  it('a repeat does not remove the file of the first upload', async () => {
    const id = await acceptedId(await upload('key-5', { content: blankPng(70) }));
    await upload('key-5', { content: blankPng(70) });
    const bytes = await bytesOf(await user.fetch(`/v1/documents/${id}/download`));
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(
      createHash('sha256').update(blankPng(70)).digest('hex'),
    );
  });
});
