import { parentPort, workerData } from 'node:worker_threads';
import { compareTexts, type TextPair } from './compare-texts.ts';
import { packChanges } from './packed-changes.ts';

// Looking for up to 1,500 words exactly takes about 0.15 s and a few tens of megabytes; 400 take about 0.01 s.
const LIMITS = { mostChanges: 1_500, mostChangesInPart: 400, timeoutMs: 1_000 };

const texts: TextPair = workerData;
const packed = packChanges(compareTexts(texts, LIMITS).changes);
parentPort?.postMessage(packed, [packed.buffer]);
