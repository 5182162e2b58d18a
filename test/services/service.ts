/** A kind of server that tests need, and how they come by it. */
export interface Service<S extends { readonly name: string }> {
  readonly name: string; // in REQUIRE_TEST_SERVICES: 'mongodb'
  /** What would be tested against if it were there: names, and addresses that nobody answers. */
  readonly planned: readonly S[];
  /** The servers, each once; or why there is none. Looks for them once in a process. */
  readonly find: () => Promise<readonly S[] | string>;
  /** Resolves if the server answers; otherwise throws, soon. */
  readonly reach: (server: S) => Promise<void>;
}

const isRequired = (name: string): boolean => {
  const required = (process.env['REQUIRE_TEST_SERVICES'] ?? '').split(',').map((part) => part.trim());
  return required.includes('1') || required.includes(name);
};

/** Whether each test that is left out is to be listed, for a table of them all, and not only one for a server. */
const listsAll = (): boolean => process.env['LIST_LEFT_OUT'] === '1';

const serverSuites = new WeakMap<object, string>();

/** The service that a suite was described for, `undefined` for a suite of other tests. */
export const serviceOf = (suite: object): string | undefined => serverSuites.get(suite);

/** What {@link describeOnServers} describes, of what was found. */
export const describeFound = <S extends { readonly name: string }>(
  service: Service<S>,
  title: string,
  found: readonly S[] | string,
  tests: (server: S) => void,
): void => {
  const leaveOut = (reason: string): void => {
    if (isRequired(service.name)) {
      it(`needs a server: ${service.name}`, () => {
        throw new Error(`REQUIRE_TEST_SERVICES asks for ${service.name}, but there is none: ${reason}`);
      });
      return;
    }
    it.skip(`is left out: ${reason}`);
    if (listsAll()) for (const server of service.planned) describe.skip(`on ${server.name}`, () => tests(server));
  };
  const whole = describe(title, () => {
    if (typeof found === 'string') {
      leaveOut(found);
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
 * A suite for each server of a service, titled `on NAME`. Where there is none, one skipped test says why; or it fails, if
 * `REQUIRE_TEST_SERVICES` is `1` or names the service. A server that is there and does not answer is one failure.
 */
export const describeOnServers = async <S extends { readonly name: string }>(
  service: Service<S>,
  title: string,
  tests: (server: S) => void,
): Promise<void> => describeFound(service, title, await service.find(), tests);

/** `find`, done once. */
export const once = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined;
  return () => (found ??= find());
};

/** `reach`, done once for each server, so that one that is away is waited for once. */
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
