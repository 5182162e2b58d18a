import type { UseCases } from '@palimpsest/composition';
import type { FairSemaphore } from '@palimpsest/core';
import type { Request, RequestHandler } from 'express';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { PublicCode } from '../error-table.ts';

/** The part of the service that reads bodies. */
export interface BodyService {
  readonly useCases: UseCases;
  readonly largeBodySlots: FairSemaphore;
}

/** The body of a request: how the service reads it and how the OpenAPI document describes it. */
export interface RequestBody<T> {
  readonly openApi: ZodOpenApiRequestBodyObject;
  readonly refusals: readonly PublicCode[]; // error codes that an endpoint has because of its body
  /** Middleware that reads the body. */
  read(service: BodyService): readonly RequestHandler[];
  /** Validates the body after `read`. Throws `VALIDATION_ERROR` with the name of the invalid field. */
  parse(req: Request): Promise<T>;
}
