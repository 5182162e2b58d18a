import { Router } from 'express';
import type { Endpoint, Service } from './endpoint.ts';
import { HttpError } from './http-error.ts';

/** Converts `/a/{id}` to the notation of Express, `/a/:id`. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Sorts fixed segments before parameters, so that `/search` matches before `/{id}`. */
const byPrecedence = (a: string, b: string): number => {
  const key = (path: string): string => path.replaceAll(/\{\w+\}/g, '\uffff');
  return key(a) < key(b) ? -1 : 1;
};

/** Routes one path. HEAD follows GET; OPTIONS lists the allowed methods; every other method gets 405 with `Allow`. */
const addPath = (router: Router, path: string, endpoints: readonly Endpoint[], service: Service): void => {
  const route = router.route(expressPath(path));
  for (const endpoint of endpoints) route[endpoint.method](...endpoint.handlers(service));
  const methods = endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  const allow = [...methods, 'OPTIONS'].sort().join(', ');
  route.options((_req, res) => {
    res.set('Allow', allow).status(204).end();
  });
  route.all((_req, res) => {
    res.set('Allow', allow);
    throw new HttpError('METHOD_NOT_ALLOWED', `This path allows ${allow}.`);
  });
};

/** Creates the Express router of these endpoints. Their order does not matter. */
export const endpointRouter = (endpoints: readonly Endpoint[], service: Service): Router => {
  const root = Router({ caseSensitive: true });
  for (const strict of [false, true]) {
    const router = Router({ caseSensitive: true, strict });
    const own = endpoints.filter(({ trailingSlash }) => (trailingSlash === 'refused') === strict);
    const byPath = Map.groupBy(own, ({ path }) => path);
    for (const path of [...byPath.keys()].sort(byPrecedence)) addPath(router, path, byPath.get(path) ?? [], service);
    root.use(router);
  }
  return root;
};
