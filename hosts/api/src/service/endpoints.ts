import type { Endpoint } from '../http/endpoint.ts';
import { getDocsAsset, readDocs } from './docs-page.ts';
import { getOpenApi } from './get-openapi.ts';
import { isAlive } from './is-alive.ts';
import { isReady } from './is-ready.ts';
import { mailLinkPages } from './mail-link-pages.ts';

export const serviceEndpoints: readonly Endpoint[] = [
  isAlive,
  isReady,
  getOpenApi,
  readDocs,
  getDocsAsset,
  ...mailLinkPages,
];
