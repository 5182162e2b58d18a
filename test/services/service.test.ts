import { expect } from 'chai';
import { runSuite } from '../../contract-tests/test/run-suite.ts';
import { freshMongoDatabase } from './mongodb.ts';
import { describeFound, once, oncePerServer, serviceOf, type Service } from './service.ts';

interface Server {
  readonly name: string;
}

const serviceOfTest = (given: Partial<Service<Server>> = {}): Service<Server> => ({
  name: 'test-service',
  planned: [{ name: 'planned' }],
  find: () => Promise.resolve('not used by these tests'),
  reach: () => Promise.resolve(),
  ...given,
});

const run = (service: Service<Server>, found: readonly Server[] | string) =>
  runSuite(() =>
    describeFound(service, 'Suite', found, () => {
      it('is a test', () => undefined);
      it('is another', () => undefined);
    }),
  );

const variables = ['REQUIRE_TEST_SERVICES', 'LIST_LEFT_OUT'] as const;

describe('tests on servers', () => {
  const before = new Map<string, string | undefined>();

  beforeEach(() => {
    for (const name of variables) {
      before.set(name, process.env[name]);
      delete process.env[name];
    }
  });

  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('run once for each server', async () => {
    const { passed, failed, skipped } = await run(serviceOfTest(), [{ name: 'one' }, { name: 'two' }]);
    expect(passed).to.deep.equal(
      ['one', 'two'].flatMap((name) => [`Suite on ${name} is a test`, `Suite on ${name} is another`]),
    );
    expect([failed, skipped]).to.deep.equal([[], []]);
  });

  it('are reported as one pending test with the reason if there is no server', async () => {
    const { passed, failed, skipped } = await run(serviceOfTest(), 'no Docker');
    expect([passed, failed, skipped]).to.deep.equal([[], [], ['Suite is skipped: no Docker']]);
  });

  it('are all listed as pending with LIST_LEFT_OUT=1', async () => {
    process.env['LIST_LEFT_OUT'] = '1';
    const { passed, skipped } = await run(serviceOfTest(), 'no Docker');
    expect([passed, skipped]).to.deep.equal([
      [],
      ['Suite is skipped: no Docker', 'Suite on planned is a test', 'Suite on planned is another'],
    ]);
  });

  it('fail if REQUIRE_TEST_SERVICES requires the missing server', async () => {
    for (const [required, fails] of [
      ['1', true],
      ['mongodb, test-service', true],
      ['mongodb', false],
      ['', false],
    ] as const) {
      process.env['REQUIRE_TEST_SERVICES'] = required;
      const { failed, errors } = await run(serviceOfTest(), 'no Docker');
      expect(failed, required).to.deep.equal(fails ? ['Suite needs a server: test-service'] : []);
      if (fails) expect(String(errors[0])).to.include('no Docker');
    }
  });

  it('report an unreachable server once and do not wait for it again', async () => {
    let attempts = 0;
    const reach = oncePerServer<Server>(() => {
      attempts += 1;
      return Promise.reject(new Error('silence'));
    });
    for (let file = 0; file < 2; file++) {
      const { passed, failed, errors } = await run(serviceOfTest({ reach }), [{ name: 'one' }]);
      expect([passed, failed.length, String(errors[0])]).to.deep.equal([[], 1, 'Error: silence']);
    }
    expect(attempts).to.equal(1);
  });

  it('belong to the service that they were described for', async () => {
    let inner: object | undefined;
    await runSuite(() =>
      describeFound(
        serviceOfTest(),
        'Suite',
        [{ name: 'one' }],
        () => void (inner = describe('inside', () => it('is a test', () => undefined))),
      ),
    );
    const { parent } = inner as Mocha.Suite;
    expect([parent?.title, parent?.parent && serviceOf(parent.parent), parent && serviceOf(parent)]).to.deep.equal([
      'on one',
      'test-service',
      undefined,
    ]);
  });

  it('share one lookup of the servers', async () => {
    let searches = 0;
    const find = once(() => Promise.resolve((searches += 1)));
    expect(await Promise.all([find(), find()])).to.deep.equal([1, 1]);
    expect(searches).to.equal(1);
  });
});

describe('freshMongoDatabase', () => {
  it('puts a unique database name into the URL and keeps its options', () => {
    const name = 'palimpsest-test-[0-9a-f-]{18}';
    for (const [url, pattern] of [
      ['mongodb://127.0.0.1:27017', `^mongodb://127\\.0\\.0\\.1:27017/${name}$`],
      ['mongodb://localhost/?directConnection=true', `^mongodb://localhost/${name}\\?directConnection=true$`],
      ['mongodb://u:p%2F@a:1,b:2/other?replicaSet=rs0', `^mongodb://u:p%2F@a:1,b:2/${name}\\?replicaSet=rs0$`],
      [
        'mongodb+srv://cluster.example.net?retryWrites=true',
        `^mongodb\\+srv://cluster\\.example\\.net/${name}\\?retryWrites=true$`,
      ],
    ] as const) {
      expect(freshMongoDatabase({ name: 'x', url }).url).to.match(new RegExp(pattern));
    }
    expect(freshMongoDatabase({ name: 'x', url: 'mongodb://a' }).url).to.not.equal(
      freshMongoDatabase({ name: 'x', url: 'mongodb://a' }).url,
    );
  });
});
