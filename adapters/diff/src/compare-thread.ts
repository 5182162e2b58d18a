import { parentPort, workerData } from 'node:worker_threads';
import { compareTexts, type TextPair } from './compare-texts.ts';
import { packChanges } from './packed-changes.ts';

// The search for 1,500 changes takes about 0.15 s and a few tens of megabytes, for 400 changes about 0.01 s. Repetitive
// texts take much longer: 200 changes of a million words up to about a second.
const LIMITS = { fewChanges: 200, further: { mostChanges: 1_500, mostChangesInPart: 400, timeoutMs: 1_000 } };

const texts: TextPair = workerData;
const packed = packChanges(compareTexts(texts, LIMITS).changes);
parentPort?.postMessage(packed, [packed.buffer]);
