import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Endpoint } from '../endpoint.ts';
import { errorTable, type PublicCode } from '../error-table.ts';
import { headersOf, type HeaderName } from './headers.ts';

const TOKEN_CODES: readonly PublicCode[] = ['AUTHENTICATION_REQUIRED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'];
const FAILURE_CODES: readonly PublicCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const TRANSPORT_CODES: readonly PublicCode[] = ['INVALID_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'];

const headersOfCode = (code: PublicCode): readonly HeaderName[] => {
  const { challenge, headers = [] } = errorTable[code];
  return challenge === undefined ? headers : [...headers, 'WWW-Authenticate'];
};

const headersFor = (codes: readonly PublicCode[]): ReturnType<typeof headersOf> => {
  const names = [...new Set(codes.flatMap(headersOfCode))];
  const isOnAll = (name: HeaderName): boolean => codes.every((code) => headersOfCode(code).includes(name));
  return headersOf({
    always: names.filter(isOnAll),
    sometimes: [
      ...names.filter((name) => !isOnAll(name)),
      ...(codes.includes('RATE_LIMITED') ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ],
  });
};

/** The error object with one of these codes. */
const refusalContent = (codes: readonly PublicCode[]): NonNullable<ZodOpenApiResponseObject['content']> => ({
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
        const { when, message } = errorTable[code];
        return [code, { summary: when.replaceAll('`', ''), value: { error: { code, message } } }];
      }),
    ),
  },
});

const describeCodes = (codes: readonly PublicCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${errorTable[code].when}`).join('\n');

/** The name of the component for a refusal with one code, or with the three codes of the token. */
const componentName = (codes: readonly PublicCode[]): string | undefined => {
  if (codes.join() === TOKEN_CODES.join()) return 'NotAuthenticated';
  const [code] = codes;
  if (codes.length > 1 || code === undefined) return undefined;
  return code.toLowerCase().replace(/(^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase());
};

// zod-openapi makes one component of a response only if it gets the same object each time.
const components = new Map<string, ZodOpenApiResponseObject>();

const refusal = (codes: readonly PublicCode[]): ZodOpenApiResponseObject => {
  const key = codes.join();
  const known = components.get(key);
  if (known) return known;
  const id = componentName(codes);
  const described = {
    ...(id !== undefined && { id }),
    description: describeCodes(codes),
    headers: headersFor(codes),
    content: refusalContent(codes),
  };
  components.set(key, described);
  return described;
};

/** Errors that occur before the request reaches Express. These responses do not have the headers of the application. */
const transportRefusal: ZodOpenApiResponseObject = {
  id: 'TransportError',
  description: `The request is not valid HTTP:\n\n${describeCodes(TRANSPORT_CODES)}`,
  content: refusalContent(TRANSPORT_CODES),
};

/** The error responses of an endpoint, by status. */
export const refusalsOf = ({ access, request, rateLimit, refusals = [] }: Endpoint): ZodOpenApiResponsesObject => {
  const codes = new Set([
    ...(access === 'token' ? TOKEN_CODES : []),
    ...(request.body?.refusals ?? []),
    ...refusals,
    ...(rateLimit ? (['RATE_LIMITED'] as const) : []),
    ...FAILURE_CODES,
  ]);
  const byStatus = [...Map.groupBy(codes, (code) => errorTable[code].status)].sort(([a], [b]) => a - b);
  return {
    ...Object.fromEntries(byStatus.map(([status, group]) => [String(status), refusal(group)])),
    default: transportRefusal,
  };
};
