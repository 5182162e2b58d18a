import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import { Client, freePort, ServiceProcess, until } from './trials/service-process.ts';

/** A page of printed text as a PNG file. It contains the word "harbour". */
const printedPage = async (): Promise<Buffer> => {
  const pgm = gunzipSync(await readFile(new URL('../contract-tests/fixtures/harbour.pgm.gz', import.meta.url)));
  const [header = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 40)) ?? [];
  const raw = { width: Number(width), height: Number(height), channels: 1 } as const;
  return sharp(pgm.subarray(header.length), { raw }).png().toBuffer();
};

describe('the service process that `npm start` runs', () => {
  let folder: string;
  let service: ServiceProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-service-'));
    service = new ServiceProcess(folder, await freePort(), { OCR_ENGINE: 'wasm' });
    await service.start();
  });

  after(async () => {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('recognizes an uploaded image and finds it by its text as soon as its status is completed', async () => {
    const client = new Client(service);
    await client.signIn();
    const id = await client.upload(await printedPage(), 'scan.png');
    expect(await until('end of the recognition', () => client.endOf(id), 120_000)).to.equal('completed');
    const found = (await (await client.fetch('/v1/documents/search?q=harbour')).json()) as {
      items: readonly { id: string }[];
    };
    expect(found.items.map((item) => item.id)).to.deep.equal([id]);
  });

  it('exits with status 0 on SIGTERM', async () => {
    expect(await service.kill('SIGTERM')).to.equal(0);
  });
});
