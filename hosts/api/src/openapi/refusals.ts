import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { errorCatalogue, type KnownCode } from '../schemas/error-codes.ts';
import { headersOf, type HeaderName } from './headers.ts';

export const tokenCodes = [
  'AUTHENTICATION_REQUIRED',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
] as const satisfies readonly KnownCode[];
const jsonBodyCodes = [
  'INVALID_JSON',
  'VALIDATION_ERROR',
  'INVALID_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_TIMEOUT',
] as const;
const faultCodes = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const satisfies readonly KnownCode[];
const transportCodes = [
  'INVALID_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
] as const satisfies readonly KnownCode[];

/** Which headers come with a code. */
const headersByCode: Partial<Readonly<Record<KnownCode, readonly HeaderName[]>>> = {
  AUTHENTICATION_REQUIRED: ['WWW-Authenticate'],
  INVALID_TOKEN: ['WWW-Authenticate'],
  TOKEN_EXPIRED: ['WWW-Authenticate'],
  RATE_LIMITED: ['Retry-After'],
  IDEMPOTENCY_KEY_IN_USE: ['Retry-After'],
  SERVICE_UNAVAILABLE: ['Retry-After'],
  RANGE_NOT_SATISFIABLE: ['Content-Range'],
};

/** Where a limit is one of requests in a time. */
const RATE_LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit'] as const satisfies readonly HeaderName[];

const headersFor = (codes: readonly KnownCode[]): ReturnType<typeof headersOf> => {
  const names = [...new Set(codes.flatMap((code) => headersByCode[code] ?? []))];
  const isAlwaysThere = (name: HeaderName): boolean => codes.every((code) => headersByCode[code]?.includes(name));
  return headersOf({
    always: names.filter(isAlwaysThere),
    sometimes: [
      ...names.filter((name) => !isAlwaysThere(name)),
      ...(codes.includes('RATE_LIMITED') ? RATE_LIMIT_HEADERS : []),
    ],
  });
};

/** The error object with one of these codes. */
const refusalContent = (codes: readonly KnownCode[]): NonNullable<ZodOpenApiResponseObject['content']> => ({
  'application/json': {
    schema: {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        {
          type: 'object',
          properties: { error: { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } } },
        },
      ],
    },
    examples: Object.fromEntries(
      codes.map((code) => {
        const { when, message } = errorCatalogue[code];
        return [code, { summary: when.replaceAll('`', ''), value: { error: { code, message } } }];
      }),
    ),
  },
});

const describeCodes = (codes: readonly KnownCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].when}`).join('\n');

const shared = new Map<string, ZodOpenApiResponseObject>();

/** What one code, or all that is wrong with tokens, answers everywhere is described once. */
const componentName = (codes: readonly KnownCode[]): string | undefined => {
  if (codes.join() === tokenCodes.join()) return 'NotAuthenticated';
  const [code] = codes;
  if (codes.length > 1 || code === undefined) return undefined;
  return code.toLowerCase().replace(/(^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase());
};

const refusal = (codes: readonly KnownCode[]): ZodOpenApiResponseObject => {
  const key = codes.join();
  const known = shared.get(key);
  if (known) return known;
  const id = componentName(codes);
  const described = {
    ...(id !== undefined && { id }),
    description: describeCodes(codes),
    headers: headersFor(codes),
    content: refusalContent(codes),
  };
  shared.set(key, described);
  return described;
};

/** What is answered before a request reaches its operation: without headers of ours. */
const transportRefusal: ZodOpenApiResponseObject = {
  id: 'TransportError',
  description: `What is wrong with the request as HTTP:\n\n${describeCodes(transportCodes)}`,
  content: refusalContent(transportCodes),
};

/** The answers with these codes, by status. Faults of the service and of the transport come with every operation. */
const byStatus = (codes: readonly KnownCode[]): ZodOpenApiResponsesObject => {
  const groups = new Map<number, KnownCode[]>();
  for (const code of new Set([...codes, ...faultCodes])) {
    const { status } = errorCatalogue[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  const responses = Object.fromEntries(
    [...groups].sort(([a], [b]) => a - b).map(([status, group]) => [String(status), refusal(group)]),
  );
  return { ...responses, default: transportRefusal };
};

/** What an operation that anybody may call can refuse. */
export const openRefusals = (...codes: readonly KnownCode[]): ZodOpenApiResponsesObject => byStatus(codes);

/** What an operation for signed-in users can refuse. */
export const refusals = (...codes: readonly KnownCode[]): ZodOpenApiResponsesObject =>
  byStatus([...tokenCodes, ...codes]);

/** The codes of operations that read a JSON body. */
export const ofJsonBody: readonly KnownCode[] = jsonBodyCodes;
