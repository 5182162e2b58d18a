import type { AccessClaims, FairSemaphore } from '@palimpsest/core';
import type { Composition, UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { actorOf, requireToken } from './authentication.ts';
import type { BodyService, RequestBody } from './bodies/request-body.ts';
import type { PublicCode } from './error-table.ts';
import { authenticationRequired } from './http-error.ts';
import type { ResponseSpec } from './openapi/responses.ts';
import { validated } from './request-validation.ts';

/** The service that handlers run in. Most handlers need only its use cases. */
export interface Service extends Pick<Composition, 'ports' | 'config' | 'log' | 'useCases'>, BodyService {
  readonly shutdown: Shutdown;
  readonly eventPollMs: number;
  readonly streamSlots: FairSemaphore; // of event streams
  readonly openApi: { readonly json: Buffer; readonly version: string };
}

/** Whether the service is shutting down. It is not ready then, but it still answers. */
export interface Shutdown {
  stopping: boolean;
}

export type Method = 'get' | 'post' | 'put' | 'delete';
export type Tag = 'Documents' | 'Text' | 'Account' | 'Service' | 'Pages for people';

type Schema = z.ZodObject | undefined;
type Output<S extends Schema> = S extends z.ZodObject ? z.output<S> : undefined;

/** The request of one endpoint. The router validates each part that has a schema. */
interface RequestSpec<Path extends Schema, Query extends Schema, Headers extends Schema, Body> {
  /** Must accept every text, because the use case refuses an unknown id. */
  readonly path?: Path;
  readonly query?: Query;
  readonly headers?: Headers; // the keys have the usual spelling, as in `If-Match`
  readonly body?: RequestBody<Body>;
}

/** The argument of a handler: the parsed request and the service. */
export interface Call<Path, Query, Headers, Body, Actor> {
  readonly path: Path;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  readonly actor: Actor;
  readonly useCases: UseCases;
  readonly service: Service;
  readonly req: Request;
  readonly res: Response;
}

/** The part of an endpoint that the OpenAPI document and the router use. */
interface Description {
  readonly method: Method;
  readonly path: string; // with parameters as in `/v1/documents/{id}`
  readonly tag: Tag;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The error codes of this endpoint. The codes of the token, the body, the rate limit and internal errors are added.
   */
  readonly refusals?: readonly PublicCode[];
  /** `headers`: whether successful responses have `RateLimit` headers. */
  readonly rateLimit?: { readonly limit: string; readonly headers: 'always' | 'sometimes' | 'never' };
  readonly trailingSlash?: 'ignored' | 'refused'; // default: ignored
}

type Access = 'token' | 'public';

interface EndpointSpec<
  Path extends Schema,
  Query extends Schema,
  Headers extends Schema,
  Body,
  Result,
  Needed extends Access,
> extends Description {
  readonly access?: Needed; // default: an access token is required
  readonly request?: RequestSpec<Path, Query, Headers, Body>;
  readonly responses: Readonly<Record<number, ResponseSpec<Result>>>;
  /**
   * Answers a valid request. The router sends a returned object as JSON with the first status of `responses`. A handler
   * that returns nothing has sent the response itself, or the response has no body.
   */
  handler(
    call: Call<Output<Path>, Output<Query>, Output<Headers>, Body, Needed extends 'public' ? undefined : AccessClaims>,
  ): Promise<Result | void> | void;
}

/** A defined endpoint. The router and the OpenAPI document are made from a list of endpoints. */
export interface Endpoint extends Description {
  readonly access: Access;
  readonly request: RequestSpec<Schema, Schema, Schema, unknown>;
  readonly responses: Readonly<Record<number, ResponseSpec<unknown>>>;
  /** The Express handlers, in their order: authentication, body, handler. */
  handlers(service: Service): readonly RequestHandler[];
}

const parsed = <S extends Schema>(schema: S, value: unknown): Output<S> =>
  (schema === undefined ? undefined : validated(schema, value)) as Output<S>;

const headersIn = (req: Request, schema: Schema): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.keys(schema?.shape ?? {}).map((name) => [name, req.get(name)]));

/** Defines one endpoint: its request, its responses and its handler. */
export const defineEndpoint = <
  Path extends Schema = undefined,
  Query extends Schema = undefined,
  Headers extends Schema = undefined,
  Body = undefined,
  Result = never,
  Needed extends Access = 'token',
>(
  spec: EndpointSpec<Path, Query, Headers, Body, Result, Needed>,
): Endpoint => {
  const { request = {}, access = 'token' } = spec;
  const [status = 200] = Object.keys(spec.responses).map(Number);

  const handle =
    (service: Service): RequestHandler =>
    async (req, res) => {
      const { useCases } = service;
      const actor = actorOf(res);
      if (access === 'token' && actor === undefined) throw authenticationRequired();
      const result = await spec.handler({
        path: parsed(request.path as Path, req.params),
        query: parsed(request.query as Query, req.query),
        headers: parsed(request.headers as Headers, headersIn(req, request.headers)),
        body: (await request.body?.parse(req)) as Body,
        actor: actor as Needed extends 'public' ? undefined : AccessClaims,
        useCases,
        service,
        req,
        res,
      });
      if (result !== undefined) res.status(status).json(result);
      else if (!res.headersSent) res.status(status).end();
    };

  return {
    ...spec,
    access,
    request,
    handlers: (service) => [
      ...(access === 'token' ? [requireToken(service.useCases)] : []),
      ...(request.body?.read(service) ?? []),
      handle(service),
    ],
  };
};
