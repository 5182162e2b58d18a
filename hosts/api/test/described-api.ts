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
