/** A kind of server that tests need, and how to find it. */
export interface Service<S extends { readonly name: string }> {
  readonly name: string; // in REQUIRE_TEST_SERVICES: 'mongodb'
  /** The servers that would be tested if they were available: their names with unreachable addresses. */
  readonly planned: readonly S[];
  /** The servers, or the reason why there is none. Looks for them once per process. */
  readonly find: () => Promise<readonly S[] | string>;
  /** Throws within seconds if the server does not answer. */
  readonly reach: (server: S) => Promise<void>;
}

const isRequired = (name: string): boolean => {
  const required = (process.env['REQUIRE_TEST_SERVICES'] ?? '').split(',').map((part) => part.trim());
  return required.includes('1') || required.includes(name);
};

/** Whether every pending test is listed, instead of one per missing server. */
const listsAll = (): boolean => process.env['LIST_LEFT_OUT'] === '1';

const serverSuites = new WeakMap<object, string>();

/** The service that a suite was described for. */
export const serviceOf = (suite: object): string | undefined => serverSuites.get(suite);

/** Describes the suites of {@link describeOnServers} for the servers that were found. */
export const describeFound = <S extends { readonly name: string }>(
  service: Service<S>,
  title: string,
  found: readonly S[] | string,
  tests: (server: S) => void,
): void => {
  const skipAll = (reason: string): void => {
    if (isRequired(service.name)) {
      it(`needs a server: ${service.name}`, () => {
        throw new Error(`REQUIRE_TEST_SERVICES requires ${service.name}, but there is none: ${reason}`);
      });
      return;
    }
    it.skip(`is skipped: ${reason}`);
    if (listsAll()) for (const server of service.planned) describe.skip(`on ${server.name}`, () => tests(server));
  };
  const whole = describe(title, () => {
    if (typeof found === 'string') {
      skipAll(found);
      return;
    }
    for (const server of found) {
      describe(`on ${server.name}`, () => {
        before(`reach ${server.name}`, () => service.reach(server));
        tests(server);
      });
    }
  });
  serverSuites.set(whole, service.name);
};

/**
 * Describes one suite, titled `on NAME`, for each server of a service. Without a server, one pending test states the reason;
 * it fails if `REQUIRE_TEST_SERVICES` is `1` or names the service. An unreachable server is one failure.
 */
export const describeOnServers = async <S extends { readonly name: string }>(
  service: Service<S>,
  title: string,
  tests: (server: S) => void,
): Promise<void> => describeFound(service, title, await service.find(), tests);

/** Calls `find` at most once. */
export const once = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined;
  return () => (found ??= find());
};

/** Calls `reach` at most once for each server, so that the tests wait for an unreachable server only once. */
export const oncePerServer = <S extends { readonly name: string }>(
  reach: (server: S) => Promise<void>,
): ((server: S) => Promise<void>) => {
  const reached = new Map<string, Promise<void>>();
  return (server) => {
    const attempt = reached.get(server.name) ?? reach(server);
    reached.set(server.name, attempt);
    return attempt;
  };
};
