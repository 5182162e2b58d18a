import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: { readonly limits?: Readonly<Record<string, unknown>> };
  };
}

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const { services, networks } = parse(read('docker/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
};
const service = (name: string): Service => services[name] ?? {};

describe('docker/compose.yaml', () => {
  it('defines the API, two workers and their dependencies, each pinned to a version', () => {
    expect(Object.keys(services).sort()).to.deep.equal(['api', 'bucket', 'gcs', 'mailpit', 'mongo', 'worker']);
    expect(service('worker').deploy?.replicas).to.equal(2);
    for (const [name, { image = '' }] of Object.entries(services))
      expect(image, name).to.match(/^[a-z/-]+:(v?\d+\.\d+|\$\{PALIMPSEST_VERSION:-local\})/);
  });

  it('gives each container minimal rights and limits its resources', () => {
    for (const [name, given] of Object.entries(services)) {
      expect(given, name).to.deep.include({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(given, name).to.not.have.property('privileged');
      expect(given.deploy?.resources?.limits, name).to.have.all.keys('cpus', 'memory', 'pids');
      expect(
        (given.volumes ?? []).filter((volume) => /^[./~]/.test(volume)),
        name,
      ).to.deep.equal([]);
    }
    for (const name of ['api', 'worker', 'bucket']) expect(service(name).user, name).to.equal('10001:10001');
  });

  it('publishes the API only on localhost by default, and does not publish services without a password', () => {
    expect(service('api').ports).to.deep.equal(['${PUBLISH:-127.0.0.1:3000}:3000']);
    expect(networks['inside']?.internal).to.equal(true);
    for (const name of ['mongo', 'gcs'])
      expect(service(name), name)
        .to.deep.include({ networks: ['inside'] })
        .and.to.not.have.property('ports');
    for (const port of service('mailpit').ports ?? []) expect(port).to.match(/^127\.0\.0\.1:/);
  });

  it('checks the health of each long-running container and starts it after its dependencies', () => {
    for (const name of ['api', 'worker', 'mongo', 'mailpit'])
      expect(service(name).healthcheck?.test?.[0], name).to.equal('CMD');
    for (const name of ['api', 'worker']) {
      expect(service(name).depends_on, name).to.deep.equal({
        mongo: { condition: 'service_healthy' },
        bucket: { condition: 'service_completed_successfully' },
        mailpit: { condition: 'service_healthy' },
      });
    }
  });

  it('runs API and worker from one image with shared settings and a required secret', () => {
    const [api, worker] = [service('api'), service('worker')];
    expect([api.image, api.command, worker.command]).to.deep.equal([worker.image, ['api'], ['worker']]);
    expect(api.environment).to.deep.include({ WORKER: 'external' });
    expect(worker.environment).to.have.property('WORKER_HEALTH_PORT');
    for (const name of ['DATABASE_URL', 'BLOB_STORE_URL', 'SMTP_URL', 'JWT_SECRET', 'PUBLIC_URL'])
      expect(api.environment?.[name], name).to.be.a('string').and.equal(worker.environment?.[name]);
    expect(api.environment?.['JWT_SECRET']).to.match(/^\$\{JWT_SECRET:\?/);
    expect(api.environment?.['DATABASE_URL']).to.include('replicaSet=rs0');
    expect(service('mongo').command).to.include.members(['--replSet', 'rs0']);
  });
});

describe('docker/Dockerfile', () => {
  const stages = read('docker/Dockerfile').split(/^FROM /m);
  const last = stages.at(-1) ?? '';

  it('uses a pinned base image and installs the locked production dependencies', () => {
    expect(stages[0]).to.match(/^ARG BASE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim$/m);
    expect(stages.slice(1).every((stage) => stage.startsWith('${BASE_IMAGE}'))).to.equal(true);
    expect(stages.join('')).to.include('npm ci --omit=dev');
  });

  it('runs as a non-root user, stops on SIGTERM and has a health check', () => {
    expect(last)
      .to.match(/^USER 10001:10001$/m)
      .and.match(/^STOPSIGNAL SIGTERM$/m)
      .and.match(/^HEALTHCHECK .*"docker\/health\.js"/m);
    expect(last).to.match(/^ENTRYPOINT \["tini", "--", "node"/m);
    expect(last).to.not.match(/^(ENV|ARG) .*SECRET/m);
  });

  it('installs the programs that its settings name', () => {
    for (const program of ['tesseract-ocr-eng', 'poppler-utils', 'util-linux']) expect(last).to.include(program);
    expect(last).to.include('OCR_ENGINE=native').and.include('PDF_RASTERIZER=poppler');
  });

  it('copies only named files, so no secrets, data or tests', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).to.equal('*');
    expect(rules).to.include.members(['**/.env*', '**/data', '**/test', '**/node_modules']);
  });
});
