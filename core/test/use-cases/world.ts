import {
  claimDocument,
  defaultWorkRules,
  receiveFile,
  recognizeDocument,
  uploadDocument,
  type Document,
  type Ports,
  type ProcessingDocument,
  type QueuedDocument,
  type RecognitionOutcome,
  type RecognitionSettings,
  type WorkRules,
} from '@palimpsest/core';
import { openMemory, toyFile, type MemoryPorts, type ToyContent } from '@palimpsest/memory';

export const settings: RecognitionSettings = {
  language: 'eng',
  textLayer: 'prefer',
  maxPages: 500,
  maxPixels: 1_000_000,
  pageTimeoutMs: 60_000,
  documentTimeoutMs: 300_000,
  pagesAtOnce: 2,
};

export const ada = { accountId: 'ada' };
export const bob = { accountId: 'bob' };

async function* chunks(bytes: Uint8Array, size = 100): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The use cases on the memory adapter, and short words for what tests do with them. */
export const aWorld = (change: Partial<Ports> = {}, rules: WorkRules = defaultWorkRules) => {
  const memory: MemoryPorts = openMemory();
  const ports = { ...memory, ...change };
  const world = {
    memory,
    ports,
    rules,
    receive: (bytes: Uint8Array) => receiveFile(ports)(chunks(bytes)),
    upload: async (content: ToyContent, actor = ada): Promise<QueuedDocument> =>
      uploadDocument(ports)({ actor, file: await receiveFile(ports)(chunks(toyFile(content))), filename: 'scan.pdf' }),
    claim: async (): Promise<ProcessingDocument> => {
      const claimed = await claimDocument(ports, rules)();
      if (!claimed) throw new Error('nothing to claim');
      return claimed;
    },
    recognize: (held: ProcessingDocument, signal: AbortSignal = new AbortController().signal, wanted = settings): Promise<RecognitionOutcome> =>
      recognizeDocument(ports, wanted, rules)(held, signal),
    stored: async (id: string): Promise<Document> => {
      const document = await memory.documents.find(id);
      if (!document) throw new Error(`no document ${id}`);
      return document;
    },
  };
  return world;
};

/** The code with which `promise` is refused; fails if it is not. */
export const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  throw new Error('it was not refused');
};
