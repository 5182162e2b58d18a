import type { Request, RequestHandler, Router } from 'express';
import { HttpError } from './error-response.ts';

/** A parameter of the path, as it was written. */
export const parameter = (req: Request, name: string): string => String(req.params[name]);

type Method = 'get' | 'post' | 'put' | 'delete';

/**
 * Registers the handlers of one path. `HEAD` follows `GET`; `OPTIONS` is answered with what is allowed; every other
 * method is 405 with `Allow`.
 */
export const route = (
  router: Router,
  path: string,
  handlers: Partial<Record<Method, readonly RequestHandler[]>>,
): void => {
  const allowed: string[] = ['OPTIONS'];
  const registered = router.route(path);
  for (const [method, list] of Object.entries(handlers) as [Method, RequestHandler[]][]) {
    registered[method](...list);
    allowed.push(...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  }
  const allow = allowed.sort().join(', ');
  registered.options((_req, res) => {
    res.set('Allow', allow).status(204).end();
  });
  registered.all((_req, res) => {
    res.set('Allow', allow);
    throw new HttpError('METHOD_NOT_ALLOWED', `This address allows ${allow}.`);
  });
};
