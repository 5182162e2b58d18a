import type { Endpoint } from '../http/endpoint.ts';
import { compareRevisions } from './compare-revisions.ts';
import { exportDocument } from './export-document.ts';
import { listRevisions } from './list-revisions.ts';
import { reviseText } from './revise-text.ts';

export const textEndpoints: readonly Endpoint[] = [reviseText, exportDocument, listRevisions, compareRevisions];
