// Does the response time reveal whether an address is registered? Usage:
//   node --conditions=@palimpsest/source test/trials/enumeration.ts [PAIRS]
// Sends interleaved pairs of requests (default: 200 for each endpoint) to a service process of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { medianDifference } from '../../hosts/api/test/timing.ts';
import { freePort, ServiceProcess } from './service-process.ts';

const pairs = Number(process.argv[2] ?? 200);
const folder = await mkdtemp(join(tmpdir(), 'palimpsest-enumeration-'));
const service = new ServiceProcess(folder, await freePort(), { TRUST_PROXY: '1' });

let clients = 0;
const post = async (path: string, body: unknown): Promise<number> => {
  clients++;
  const from = `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
  const response = await fetch(`${service.url}/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
};

const password = 'correct horse battery staple';
const known = (i: number): string => `known${i}@example.org`;
const unknown = (kind: string, i: number): string => `${kind}${i}@example.org`;

try {
  await service.start();
  for (let i = 0; i < pairs; i++) {
    const status = await post('register', { email: known(i), password });
    if (status !== 202) throw new Error(`register returned ${status}`);
  }
  let areSame = true;
  for (const [path, known_, unknown_] of [
    [
      'login',
      (i: number) => ({ email: known(i), password: 'a wrong password' }),
      (i: number) => ({ email: unknown('login', i), password: 'a wrong password' }),
    ],
    [
      'register',
      (i: number) => ({ email: known(i), password }),
      (i: number) => ({ email: unknown('register', i), password }),
    ],
    ['forgot-password', (i: number) => ({ email: known(i) }), (i: number) => ({ email: unknown('forgot', i) })],
  ] as const) {
    const { ms, share, medians } = await medianDifference(pairs, (i) => [
      () => post(path, known_(i)),
      () => post(path, unknown_(i)),
    ]);
    const isIndistinguishable = ms < 10 || share < 0.05;
    areSame &&= isIndistinguishable;
    const [a, b] = medians.map((median) => median.toFixed(2));
    console.log(
      `${path}: known ${a} ms, unknown ${b} ms, difference ${ms.toFixed(2)} ms (${(share * 100).toFixed(1)} %): ${isIndistinguishable ? 'ok' : 'DISTINGUISHABLE'}`,
    );
  }
  process.exitCode = areSame ? 0 : 1;
} finally {
  await service.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
