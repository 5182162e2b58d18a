import { accountEndpoints } from './accounts/endpoints.ts';
import { documentEndpoints } from './documents/endpoints.ts';
import { statusEvent } from './documents/status-events.ts';
import type { Endpoint } from './http/endpoint.ts';
import { makeOpenApiDocument, type OpenApiDocument } from './http/openapi/openapi-document.ts';
import { pageEndpoints } from './pages/endpoints.ts';
import { serviceEndpoints } from './service/endpoints.ts';
import { textEndpoints } from './texts/endpoints.ts';

/** All endpoints of the API, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  ...documentEndpoints,
  ...textEndpoints,
  ...pageEndpoints,
  ...accountEndpoints,
  ...serviceEndpoints,
];

/** Creates the OpenAPI document of all endpoints. */
export const openApiDocument = (about: { readonly serverUrl: string; readonly version: string }): OpenApiDocument =>
  makeOpenApiDocument({ ...about, endpoints, schemas: { StatusEvent: statusEvent } });
