import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../src/endpoints.ts';
import type { OpenApiDocument } from '../src/http/openapi/openapi-document.ts';

/** A response. `body` is undefined if it was not read (files and streams). */
export interface Exchange {
  readonly method: string;
  readonly path: string; // without the query
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | undefined;
}

interface Described {
  readonly $ref?: string;
}
interface DescribedHeader extends Described {
  readonly required?: boolean;
  readonly schema?: object;
}
interface DescribedResponse extends Described {
  readonly headers?: Readonly<Record<string, DescribedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}
interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** A value in the OpenAPI document and its JSON pointer. */
interface Located<T> {
  readonly value: T;
  readonly pointer: string;
}

const METHODS = new Set(['get', 'put', 'post', 'delete']);
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether the body is JSON, which has a schema. */
const isJson = (headers: Headers): boolean => /^application\/json\b/.test(headers.get('content-type') ?? '');

/** Compares responses with the OpenAPI document. */
export class ResponseCheck {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];

  constructor(document: OpenApiDocument = openApiDocument({ serverUrl: 'http://localhost:3000', version: '0.0.0' })) {
    this.#document = document;
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
    this.#paths = Object.keys(document.paths ?? {})
      // Fixed segments match before parameters.
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
      }));
  }

  /** The path template of a path, `undefined` if it is not documented. */
  templateOf(path: string): string | undefined {
    return this.#paths.find(({ pattern }) => pattern.test(path))?.template;
  }

  /** Validates a value by the schema at this JSON pointer and returns the errors. */
  faultsOf(pointer: string, value: unknown): readonly string[] {
    let validate = this.#validators.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
      this.#validators.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '(all of it)'} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Throws an error that lists everything that does not match. */
  check(exchange: Exchange): void {
    const faults = this.#faults(exchange);
    if (faults.length === 0) return;
    const { method, path, status, body } = exchange;
    const shown = body === undefined ? '' : `\n  in ${body.slice(0, 600)}`;
    throw new Error(
      `${method} ${path} was answered ${status}, which does not match the OpenAPI document:\n  - ${faults.join('\n  - ')}${shown}`,
    );
  }

  #faults(exchange: Exchange): readonly string[] {
    const { path, status } = exchange;
    const method = exchange.method.toLowerCase() === 'head' ? 'get' : exchange.method.toLowerCase();
    const template = this.templateOf(path);
    const operation = template === undefined || !METHODS.has(method) ? undefined : this.#operation(template, method);
    // An undocumented operation must be refused with the error object.
    if (!operation)
      return status >= 400
        ? this.#contentFaults(exchange, '/components/schemas/Error')
        : method === 'options'
          ? []
          : ['the operation is not documented'];
    const response = this.#response(operation, exchange);
    if (!response) return [`the status ${status} is not documented`];
    return [...this.#headerFaults(exchange, response), ...this.#bodyFaults(exchange, response)];
  }

  #operation(template: string, method: string): Located<DescribedOperation> | undefined {
    const pointer = `/paths/${escaped(template)}/${method}`;
    const value = (this.#document.paths?.[template] as Record<string, DescribedOperation> | undefined)?.[method];
    return value && { value, pointer };
  }

  #response(
    { value, pointer }: Located<DescribedOperation>,
    { status }: Exchange,
  ): Located<DescribedResponse> | undefined {
    const key = String(status) in value.responses ? String(status) : 'default';
    const response = value.responses[key];
    return response && this.#resolved({ value: response, pointer: `${pointer}/responses/${key}` });
  }

  #resolved<T extends Described>(located: Located<T>): Located<T> {
    if (located.value.$ref === undefined) return located;
    const pointer = located.value.$ref.slice(1);
    const value = pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], this.#document);
    return { value: value as T, pointer };
  }

  #headerFaults({ headers }: Exchange, { value, pointer }: Located<DescribedResponse>): readonly string[] {
    return Object.entries(value.headers ?? {}).flatMap(([name, described]) => {
      const header = this.#resolved({ value: described, pointer: `${pointer}/headers/${escaped(name)}` });
      const given = headers.get(name);
      if (given === null) return header.value.required === true ? [`the header ${name} is missing`] : [];
      return this.faultsOf(`${header.pointer}/schema`, given).map((fault) => `the header ${name}: ${given} ${fault}`);
    });
  }

  #bodyFaults(exchange: Exchange, { value, pointer }: Located<DescribedResponse>): readonly string[] {
    const type = exchange.headers.get('content-type')?.split(';')[0]?.trim();
    if (!value.content) return type === undefined ? [] : [`it has a body of ${type}, and no body is documented`];
    if (type === undefined) return ['it has no Content-Type'];
    if (!(type in value.content)) return [`${type} is not documented, but ${Object.keys(value.content).join(', ')}`];
    return type === 'application/json'
      ? this.#contentFaults(exchange, `${pointer}/content/${escaped(type)}/schema`)
      : [];
  }

  #contentFaults({ method, headers, body }: Exchange, pointer: string): readonly string[] {
    if (!isJson(headers)) return [`it is ${headers.get('content-type')}, not JSON`];
    if (method.toUpperCase() === 'HEAD' || body === undefined) return [];
    return this.faultsOf(pointer, JSON.parse(body));
  }
}

let shared: ResponseCheck | undefined;

/** Throws if a response does not match the OpenAPI document. The body stays readable for the caller. */
export const checkResponse = async (method: string, url: string, response: Response): Promise<void> => {
  shared ??= new ResponseCheck();
  const { status, headers } = response;
  const body =
    isJson(headers) && method !== 'HEAD' && response.body !== null ? await response.clone().text() : undefined;
  shared.check({ method, path: new URL(url).pathname, status, headers, body });
};

const plainFetch = globalThis.fetch;

const methodOf = (input: string | URL | Request, init?: RequestInit): string =>
  (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();

const urlOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));

/** `fetch` with {@link checkResponse} for the response. */
export const checkedFetch: typeof fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  await checkResponse(methodOf(input, init), urlOf(input), response);
  return response;
};

const watched = new Set<string>();

const watchingFetch: typeof fetch = (input, init) => {
  const url = urlOf(input);
  return URL.canParse(url) && watched.has(new URL(url).origin) ? checkedFetch(input, init) : plainFetch(input, init);
};

/**
 * Replaces `fetch` by one that checks every response of the service at this address. The returned function restores it.
 */
export const watchResponses = (serviceUrl: string): (() => void) => {
  const { origin } = new URL(serviceUrl);
  watched.add(origin);
  globalThis.fetch = watchingFetch;
  return () => {
    watched.delete(origin);
    if (watched.size === 0) globalThis.fetch = plainFetch;
  };
};
