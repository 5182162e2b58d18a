import { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Endpoint, Tag } from '../endpoint.ts';
import { publicCodes } from '../error-table.ts';
import { CONVENTIONS } from './conventions.ts';
import { headerComponents } from './headers.ts';
import { operationOf } from './operation.ts';

/** The OpenAPI document of the API. It uses the schemas that validate requests and type responses. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const errorObject = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(publicCodes).meta({ description: 'For programs. Codes never change.' }),
      message: z
        .string()
        .min(1)
        .meta({ description: 'For people: what is wrong and what to do. Messages may change.' }),
    }),
  })
  .meta({ id: 'Error', description: 'Every error has this form.' });

const tagDescriptions: Readonly<Record<Tag, string>> = {
  Documents: 'Upload, find, download and delete documents.',
  Text: 'The extracted text: pages, words, revisions, exports.',
  Account: 'Register, sign in and out, change passwords.',
  Service: 'The state of the service and its OpenAPI document.',
  'Pages for people': 'Web pages, not part of the API.',
};

const tags: oas31.TagObject[] = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }));

const pathsOf = (endpoints: readonly Endpoint[]): ZodOpenApiPathsObject =>
  Object.fromEntries(
    [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, own]) => [
      path,
      Object.fromEntries(own.map((endpoint) => [endpoint.method, operationOf(endpoint)])),
    ]),
  );

/**
 * Makes the OpenAPI 3.1 document of an API that is available at `serverUrl` (without a slash at the end). `version` is
 * the version of the package. `schemas` are schemas that no endpoint refers to.
 */
export const makeOpenApiDocument = ({
  endpoints,
  schemas,
  serverUrl,
  version,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly serverUrl: string;
  readonly version: string;
}): OpenApiDocument =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Palimpsest',
        version,
        summary: 'Extracts the text of scanned documents and keeps it beside every correction.',
        description: CONVENTIONS,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: serverUrl, description: 'This service' }],
      tags,
      security: [{ bearer: [] }],
      paths: pathsOf(endpoints),
      components: {
        schemas: { Error: errorObject, ...schemas },
        headers: headerComponents,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The `access_token` of `POST /v1/auth/login`.',
          },
        },
      },
    },
    {
      override: ({ jsonSchema }) => {
        // This maximum comes from zod's integer type; the API has no such limit.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        // A file is sent as it is, not encoded.
        if (jsonSchema.format === 'binary') delete jsonSchema.contentEncoding;
        // `param` belongs to the parameter, not to its schema.
        delete jsonSchema['param'];
      },
    },
  );
