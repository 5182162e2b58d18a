import { parse } from 'content-disposition';
import { expect } from 'chai';
import type { PageText } from '@palimpsest/core';
import { unzipSync } from 'fflate';
import { aCompletedDocument, acceptedId, finalStatus, jsonOf, revise } from '../documents.ts';
import { blankPng } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

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

describe('pages and exports', () => {
  let service: TestService;
  let user: TestUser;
  let id: string;
  const get = (rest: string, of = id): Promise<Response> => user.fetch(`/v1/documents/${of}${rest}`);

  before(async () => {
    service = await startService({ worker: true, ocr: SCANNED });
    user = await service.signUp();
    id = await acceptedId(await user.upload(blankPng(WIDTH, HEIGHT), 'scan.png', 'Harbour & "sea" / <1>'));
    expect(await finalStatus(user, id)).to.equal('completed');
  });
  after(() => service.close());

  it('lists the pages with exactly the documented fields', async () => {
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

  it('answers PAGE_NOT_FOUND for unknown and malformed page numbers', async () => {
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
    expect(await finalStatus(user, again)).to.equal('completed');
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
      const revised = await aCompletedDocument(
        user,
        ['Page one of a document with some words'],
        'Ünïcode "title" / 1: 漢字',
      );
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

  it('answers FILE_NOT_STORED when the original file is missing, and still exports the text', async () => {
    const withoutFile = await aCompletedDocument(user, ['A page whose file this test deletes']);
    await service.composition.ports.blobs.delete(
      (await service.composition.ports.documents.find(withoutFile))?.blobKey ?? '',
    );
    for (const rest of ['/pages/1/image', '/searchable-pdf', '/download']) {
      expect(await refusal(await get(rest, withoutFile)), rest).to.include({ status: 400, code: 'FILE_NOT_STORED' });
    }
    expect((await get('/export?format=docx', withoutFile)).status).to.equal(200);
    expect((await get('/pages', withoutFile)).status).to.equal(200);
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
});
