import type { Endpoint } from '../http/endpoint.ts';
import { getPageImage } from './get-page-image.ts';
import { getSearchablePdf } from './get-searchable-pdf.ts';
import { listPages } from './list-pages.ts';
import { listWords } from './list-words.ts';

export const pageEndpoints: readonly Endpoint[] = [listPages, listWords, getPageImage, getSearchablePdf];
