// Recognizes one file with the library, without HTTP and without a server. Usage: npm run example -- scan.png
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defaultWorkRules, getDocument, receiveFile, uploadDocument, workUntilIdle } from '@palimpsest/core';
import { NodeChecksums, SystemClock, SystemTimer, UuidV7Ids } from '@palimpsest/crypto';
import { openLocalStorage } from '@palimpsest/local-storage';
import { openMemory } from '@palimpsest/memory';
import { openPdfium } from '@palimpsest/pdfium';
import { openSharp } from '@palimpsest/sharp';
import { openSqlite } from '@palimpsest/sqlite';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: npm run example -- FILE');

// Choose an adapter for each port. All other ports use the adapters in memory.
const children = availableParallelism();
const sqlite = await openSqlite({ file: 'data/embedded.db' });
const [sharp, pdfium, tesseract] = [openSharp({ children }), openPdfium({ children }), openTesseractWasm({ children })];
const ports = {
  ...openMemory(),
  documents: sqlite.documents,
  pages: sqlite.pages,
  revisions: sqlite.revisions,
  searchIndex: sqlite.searchIndex,
  blobs: await openLocalStorage({ folder: 'data/embedded-blobs' }),
  checksums: new NodeChecksums(),
  clock: new SystemClock(),
  timer: new SystemTimer(),
  ids: new UuidV7Ids(),
  ocrEngine: tesseract.engine,
  imagePreparer: sharp.imagePreparer,
  rasterizers: [sharp.rasterizer, pdfium.rasterizer],
  textLayerReaders: [pdfium.textLayerReader],
};

// Use cases are functions of the ports that they need.
const actor = { accountId: 'your own user id' };
const file = await receiveFile(ports)(createReadStream(path));
const { id } = await uploadDocument(ports)({ actor, file, filename: basename(path) });
const settings = {
  ...defaultWorkRules,
  language: 'eng',
  textLayer: 'prefer',
  maxPages: 500,
  maxPixels: 100_000_000,
  pageTimeoutMs: 60_000,
  documentTimeoutMs: 300_000,
  pagesAtOnce: children,
  documentsAtOnce: 2,
} as const;
await workUntilIdle(ports, settings)(new AbortController().signal);
const { document, ocr } = await getDocument(ports)(actor, id);
console.log(document.status === 'failed' ? document.errorMessage : ocr?.text);

await Promise.all([sharp.close(), pdfium.close(), tesseract.close()]);
await sqlite.close();
