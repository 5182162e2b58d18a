import { openApiDocument } from '../src/endpoints.ts';

// The parts of the OpenAPI document that tests read.

export interface Example {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface Parameter extends Example {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Example>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Example>> }>
  >;
}

/** One operation with its path and method. */
export interface Described {
  readonly method: string; // in lower case
  readonly path: string;
  readonly pointer: string; // JSON pointer into the document
  readonly operation: Operation;
}

export const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The OpenAPI document as a client receives it. */
export const aDocument = (): ReturnType<typeof openApiDocument> =>
  structuredClone(openApiDocument({ serverUrl: 'https://docs.example.org/ocr', version: '1.2.3' }));

/** All operations of the OpenAPI document. */
export const operations: readonly Described[] = Object.entries(aDocument().paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    method,
    path,
    pointer: `/paths/${escaped(path)}/${method}`,
    operation,
  })),
);

/** The examples of a parameter or a content. */
export const examplesOf = ({ example, examples }: Example): readonly unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map(({ value }) => value),
];

/** The path with its query, and the body, of a request that is made of the documented examples. */
export interface ExampleRequest {
  readonly method: string; // in upper case
  readonly path: string;
  readonly json: unknown; // `undefined`: no JSON body
}

/** A request for an operation. `pathParameters` replace the parameters in the path. */
export const exampleRequest = (
  { method, path, operation }: Described,
  pathParameters: Readonly<Record<string, string>>,
): ExampleRequest => {
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? [])
    if (parameter.in === 'query') query.set(parameter.name, String(examplesOf(parameter)[0]));
  return {
    method: method.toUpperCase(),
    path: `${path.replace(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? '1')}?${query}`,
    json: examplesOf(operation.requestBody?.content['application/json'] ?? {})[0],
  };
};
