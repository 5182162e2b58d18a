import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { refusal, startService, storedFiles, type TestService, type TestUser } from '../service.ts';
import { blankPng, padded, textPdf } from '../samples.ts';
import { eventually } from '../../../../test/expectations.ts';

const LIMIT = 25 * 1024 * 1024;
const BOUNDARY = 'x-boundary';

interface RawAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly bytesSent: number;
}

describe('malformed and hostile uploads', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService();
    user = await service.signUp();
  });
  after(() => service.close());

  const stored = async (): Promise<{ files: number; documents: number }> => {
    const list = (await (await user.fetch('/v1/documents?limit=1')).json()) as { paging: { total: number } };
    return { files: await storedFiles(service), documents: list.paging.total };
  };

  /** Runs `send` and checks that it stored nothing. */
  const storesNothing = async (send: () => Promise<void>): Promise<void> => {
    const before = JSON.stringify(await stored());
    await send();
    await eventually(async () => JSON.stringify(await stored()) === before);
  };

  const part = (disposition: string, content: Uint8Array | string, more = ''): Buffer =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
      Buffer.from(content as Uint8Array),
      Buffer.from('\r\n'),
    ]);
  const END = Buffer.from(`--${BOUNDARY}--\r\n`);
  const filePart = (content: Uint8Array | string, filename = 'a.png', field = 'file'): Buffer =>
    part(`name="${field}"; filename="${filename}"`, content, 'Content-Type: image/png\r\n');

  const send = (body: Uint8Array, contentType = `multipart/form-data; boundary=${BOUNDARY}`): Promise<Response> =>
    user.fetch('/v1/documents', {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: body as Uint8Array<ArrayBuffer>,
    });

  /** Sends a request over a plain socket. `produce` writes the body until the service answers. */
  const sendRaw = (headers: string, produce: (socket: Socket) => void, authorised = true): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const auth = authorised ? `Authorization: Bearer ${user.token}\r\n` : '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/documents HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n${headers}\r\n`,
        );
        produce(socket);
      });
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
        if (answer.includes('\r\n\r\n') && answer.endsWith('}')) socket.destroy();
      });
      socket.on('error', (error) => {
        if (answer === '') reject(error);
      });
      socket.on('close', () => {
        resolve({
          status: Number(answer.slice(9, 12)),
          code: /"code":"([A-Z_]+)"/.exec(answer)?.[1],
          bytesSent: socket.bytesWritten,
        });
      });
    });

  /** Writes `chunk` repeatedly, as fast as the service reads it. */
  const flood = (socket: Socket, chunk: Uint8Array): void => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  };

  for (const [name, content] of [
    ['text', 'just text'],
    ['HTML', '<html><script>alert(1)</script></html>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0'],
    ['a ZIP', 'PK\u0003\u0004'],
    ['a list of image paths', '/data/someone-elses.png\n'],
    ['PostScript', '%!PS-Adobe-3.0\n'],
    ['PostScript with a PDF header in its comment', '%!PS-Adobe-3.0 %PDF-1.4\n'],
    ['half a PNG signature', '\u0089PN'],
  ] as const) {
    it(`refuses ${name} with the name and type of a PNG`, () =>
      storesNothing(async () => {
        const response = await send(Buffer.concat([filePart(Buffer.from(content, 'latin1')), END]));
        expect(await refusal(response)).to.include({ status: 415, code: 'UNSUPPORTED_FILE_TYPE' });
      }));
  }

  it('detects the type by the content, not by the name and the declared type', async () => {
    const response = await user.upload(blankPng(), 'photo.pdf');
    const { document } = (await response.json()) as { document: { id: string } };
    const detail = (await (await user.fetch(`/v1/documents/${document.id}`)).json()) as { content_type: string };
    expect(detail.content_type).to.equal('image/png');
  });

  it('refuses an empty file', () =>
    storesNothing(async () => {
      expect(await refusal(await user.upload('', 'a.png'))).to.include({ status: 400, code: 'EMPTY_FILE' });
    }));

  const file = filePart(blankPng());
  const broken: readonly (readonly [string, Uint8Array, string?])[] = [
    ['without a file', Buffer.concat([part('name="title"', 'x'), END])],
    ['with the file as text', Buffer.concat([part('name="file"', 'x'), END])],
    ['with the file in another field', Buffer.concat([filePart(blankPng(), 'a.png', 'File'), END])],
    ['with a field without a name', Buffer.concat([part('filename="a.png"', blankPng()), END])],
    ['with two files', Buffer.concat([file, file, END])],
    ['with a second file in another field', Buffer.concat([file, filePart(blankPng(), 'b.png', 'other'), END])],
    ['cut off in the middle', file.subarray(0, 150)],
    ['without the final boundary', file],
    ['without any bytes', Buffer.alloc(0)],
    ['without any part', END],
    ['without a boundary', Buffer.concat([file, END]), 'multipart/form-data'],
    ['without a content type', blankPng(), ''],
    ['with nested names', Buffer.concat([part('name="a[b][c][d]"', 'x'), file, END])],
    [
      'with the prototype as a name',
      Buffer.concat([
        part('name="__proto__[polluted]"', 'x'),
        part('name="a[constructor][prototype][x]"', 'x'),
        file,
        END,
      ]),
    ],
    ['with an array of a billion', Buffer.concat([part('name="a[999999999]"', 'x'), file, END])],
    [
      'with a thousand fields',
      Buffer.concat([...Array.from({ length: 1000 }, (_, i) => part(`name="f${i}"`, 'x')), file, END]),
    ],
    [
      'with a part header of 100 kB',
      Buffer.concat([part('name="x"', 'x', `X: ${'y'.repeat(100_000)}\r\n`), file, END]),
    ],
  ];
  for (const [name, body, type] of broken) {
    it(`refuses a form ${name}`, () =>
      storesNothing(async () => {
        const { status, code } = await refusal(await send(body, type));
        expect([status, code]).to.deep.equal([400, 'INVALID_UPLOAD']);
        expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
      }));
  }

  for (const type of ['image/png', 'application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
    it(`refuses a body with the type ${type}`, () =>
      storesNothing(async () => {
        expect(await refusal(await send(blankPng(), type))).to.include({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      }));
  }

  it('refuses a repeated title and a title that is too long', () =>
    storesNothing(async () => {
      const twice = Buffer.concat([part('name="title"', 'a'), part('name="title"', 'b'), file, END]);
      expect(await refusal(await send(twice))).to.include({ status: 400, code: 'VALIDATION_ERROR' });
      const long = Buffer.concat([part('name="title"', 'x'.repeat(2_000_000)), file, END]);
      expect(await refusal(await send(long))).to.include({ status: 400, code: 'VALIDATION_ERROR' });
    }));

  it('ignores unknown fields', async () => {
    const response = await send(
      Buffer.concat([part('name="owner_id"', 'x'), part('name="status"', 'completed'), file, END]),
    );
    expect(response.status).to.equal(200);
    expect(await response.json()).to.have.nested.property('document.status', 'queued');
  });

  it('stores nothing of an interrupted upload, at any point of the interruption', () =>
    storesNothing(async () => {
      const body = Buffer.concat([part('name="title"', 'x'), filePart(padded(textPdf('x'), 300_000), 'a.pdf'), END]);
      for (let i = 0; i < 20; i++) {
        const cut = Math.floor((body.length * i) / 20);
        await sendRaw(`Content-Length: ${body.length}\r\n`, (socket) => {
          socket.write(body.subarray(0, cut), () => (i % 2 === 0 ? socket.destroy() : socket.end()));
        });
      }
    }));

  it('refuses a body that is too long by its Content-Length before the client sends it', () =>
    storesNothing(async () => {
      const answer = await sendRaw(`Content-Length: ${LIMIT + 1_000_000}\r\n`, (socket) => {
        socket.write(filePart(blankPng()));
      });
      expect(answer).to.include({ status: 413, code: 'FILE_TOO_LARGE' });
      expect(answer.bytesSent).to.be.lessThan(10_000);
    }));

  it('refuses an endless chunked file soon after the limit', () =>
    storesNothing(async () => {
      const data = Buffer.alloc(64 * 1024, 0x20);
      const chunk = Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
      const answer = await sendRaw('Transfer-Encoding: chunked\r\n', (socket) => {
        const start = filePart(textPdf('x')).subarray(0, -2);
        socket.write(`${start.length.toString(16)}\r\n`);
        socket.write(start);
        socket.write('\r\n');
        flood(socket, chunk);
      });
      expect(answer).to.include({ status: 413, code: 'FILE_TOO_LARGE' });
      expect(answer.bytesSent).to.be.lessThan(LIMIT + 12 * 1024 * 1024);
    }));

  it('refuses an endless body without any part', () =>
    storesNothing(async () => {
      const data = Buffer.alloc(64 * 1024, 0x20);
      const chunk = Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
      const answer = await sendRaw('Transfer-Encoding: chunked\r\n', (socket) => flood(socket, chunk));
      expect(answer).to.include({ status: 413, code: 'FILE_TOO_LARGE' });
      expect(answer.bytesSent).to.be.lessThan(LIMIT + 12 * 1024 * 1024);
    }));

  it('refuses a file of an unsupported type before the whole body arrived', () =>
    storesNothing(async () => {
      const answer = await sendRaw(`Content-Length: ${20 * 1024 * 1024}\r\n`, (socket) => {
        socket.write(filePart('x'.repeat(100_000)));
      });
      expect(answer).to.include({ status: 415, code: 'UNSUPPORTED_FILE_TYPE' });
    }));

  it('refuses a client without a token before it reads the body', () =>
    storesNothing(async () => {
      const answer = await sendRaw(`Content-Length: ${20 * 1024 * 1024}\r\n`, (socket) => void socket, false);
      expect(answer).to.include({ status: 401, code: 'AUTHENTICATION_REQUIRED' });
    }));

  for (const [given, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['..\\\\..\\\\windows\\\\win.ini', 'win.ini'],
    ['C:\\\\x\\\\scan.png', 'scan.png'],
    ['..', 'document'],
    ['   ', 'document'],
    ['-rf.png', '-rf.png'],
    ['$(touch x).png', '$(touch x).png'],
    ['a%0D%0ASet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['a%22; filename=%22b.exe', 'a"; filename="b.exe'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['e\u0301t\u00e9.png', 'été.png'],
    [`${'é'.repeat(400)}.png`, `${'é'.repeat(125)}.png`],
  ] as const) {
    it(`cleans the file name ${JSON.stringify(given).slice(0, 40)}`, async () => {
      const response = await send(Buffer.concat([filePart(blankPng(), given), END]));
      const { document } = (await response.json()) as { document: { id: string } };
      const detail = (await (await user.fetch(`/v1/documents/${document.id}`)).json()) as { original_filename: string };
      expect(detail.original_filename).to.equal(kept);
      const download = await user.fetch(`/v1/documents/${document.id}/download`);
      expect(download.status).to.equal(200);
      expect(download.headers.get('set-cookie')).to.equal(null);
      await download.arrayBuffer();
    });
  }

  it('refuses a file name over 1,000 characters', () =>
    storesNothing(async () => {
      const response = await send(Buffer.concat([filePart(blankPng(), `${'x'.repeat(1001)}.png`), END]));
      expect(await refusal(response)).to.include({ status: 400, code: 'VALIDATION_ERROR' });
    }));

  it('creates one document for each of 30 concurrent uploads', async () => {
    const files = Array.from({ length: 30 }, (_, i) => blankPng(20 + i, 20));
    const responses = await Promise.all(files.map((content, i) => user.upload(content, `${i}.png`)));
    const ids = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { document: { id: string } }).document.id),
    );
    expect(new Set(ids).size).to.equal(30);
    for (const [i, id] of ids.entries()) {
      const downloaded = Buffer.from(await (await user.fetch(`/v1/documents/${id}/download`)).arrayBuffer());
      expect(downloaded.equals(files[i] ?? Buffer.alloc(0))).to.equal(true);
    }
  });
});
