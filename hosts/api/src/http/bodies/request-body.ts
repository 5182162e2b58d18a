import type { UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler } from 'express';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { PublicCode } from '../error-table.ts';

/** The body of a request: how the service reads it and how the OpenAPI document describes it. */
export interface RequestBody<T> {
  readonly openApi: ZodOpenApiRequestBodyObject;
  readonly refusals: readonly PublicCode[]; // that this kind of body adds to an endpoint
  /** Middleware that reads the body. */
  read(useCases: UseCases): readonly RequestHandler[];
  /** The value of a body that was read. Throws `VALIDATION_ERROR` with the name of the bad field. */
  parse(req: Request, useCases: UseCases): Promise<T>;
}
