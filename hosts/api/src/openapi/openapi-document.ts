import { createDocument, type oas31 } from 'zod-openapi';
import { statusEvent } from '../schemas/document-responses.ts';
import { errorObject } from '../schemas/service-responses.ts';
import { accountPaths } from './account-paths.ts';
import { CONVENTIONS } from './conventions.ts';
import { documentPaths } from './document-paths.ts';
import { headerComponents } from './headers.ts';
import { servicePaths } from './service-paths.ts';
import { textPaths } from './text-paths.ts';

/** The OpenAPI document, made of the schemas that requests are parsed by and answers are held to. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const tags: oas31.TagObject[] = [
  { name: 'Documents', description: 'Upload, find, download and delete documents.' },
  { name: 'Text', description: 'What was read: pages, words, revisions, exports.' },
  { name: 'Account', description: 'Register, sign in and out, passwords.' },
  { name: 'Service', description: 'The state of the service and its description.' },
  { name: 'Pages for people', description: 'Web pages, not part of the API.' },
];

/**
 * Describes the API as it is served at `serverUrl` (without a slash at its end), in OpenAPI 3.1. `version` is that of the
 * package.
 */
export const openApiDocument = ({
  serverUrl,
  version,
}: {
  readonly serverUrl: string;
  readonly version: string;
}): OpenApiDocument =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Palimpsest',
        version,
        summary: 'Reads the text of scans and keeps it beside every correction.',
        description: CONVENTIONS,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: serverUrl, description: 'This service' }],
      tags,
      security: [{ bearer: [] }],
      paths: { ...documentPaths, ...textPaths, ...accountPaths, ...servicePaths },
      components: {
        schemas: { Error: errorObject, StatusEvent: statusEvent },
        headers: headerComponents,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The `access_token` that `POST /v1/auth/login` gives.',
          },
        },
      },
    },
    {
      override: ({ jsonSchema }) => {
        // No limit of the API, but of what zod takes for an integer.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        // A file is sent as it is, not encoded.
        if (jsonSchema.format === 'binary') delete jsonSchema.contentEncoding;
        // For the parameter, not for its schema.
        delete jsonSchema['param'];
      },
    },
  );
