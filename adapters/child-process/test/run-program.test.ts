import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { describeMissingLimits, findProgram, runProgram } from '@palimpsest/child-process';
import type { ProgramCall, ProgramResult } from '@palimpsest/child-process';
import { misbehavingCall } from './fixtures/pools.ts';
import { appErrorOf } from './processes.ts';
import { rejectionOf } from '../../../test/expectations.ts';

const isWindows = process.platform === 'win32';
const hasPrlimit = (await findProgram('prlimit')) !== undefined;

const run = (args: readonly string[], given: Partial<ProgramCall> = {}): Promise<ProgramResult> =>
  runProgram(misbehavingCall(args, given));

describe('runProgram', () => {
  afterEach('no private folder is left', async () => {
    expect((await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`))).to.deep.equal([]);
  });

  it('passes the input to the program and returns its output unchanged', async () => {
    const parts = [new Uint8Array([0, 255, 10]), new Uint8Array(3_000_000).fill(7)];
    const { exitCode, output } = await run(['echo'], { input: parts });
    expect(exitCode).to.equal(0);
    expect(output.equals(Buffer.concat(parts))).to.equal(true);
  });

  it('passes arguments unchanged, without a shell, in an empty private folder that it removes', async () => {
    const odd = ['$(touch x)', '; ls', '"', "'", '`id`', '*', '', 'a b', '-n'];
    const { output } = await run(['about', ...odd], { environment: { OMP_THREAD_LIMIT: '1' } });
    const about = JSON.parse(output.toString());
    expect(about).to.deep.include({ arguments: odd, entries: [] });
    if (!isWindows) expect(about.mode).to.equal(0o700);
    expect(about.folder).to.include(`-${process.pid}-`);
    expect(existsSync(about.folder)).to.equal(false);
    expect(Object.keys(about.environment).sort(), 'the environment').to.deep.equal(
      [
        'LANG',
        'LC_ALL',
        'OMP_THREAD_LIMIT',
        'PATH',
        'TEMP',
        'TMP',
        'TMPDIR',
        ...(isWindows ? ['SystemRoot'] : []),
      ].sort(),
    );
  });

  it('returns the exit code with the messages of the program, or the signal that ended it', async () => {
    const failed = await run(['exit', '3']);
    expect([failed.exitCode, failed.errors.trim()]).to.deep.equal([3, 'it went wrong']);
    if (!isWindows) expect((await run(['crash'])).signal).to.equal('SIGSEGV');
  });

  it('throws no error for a program that ends before it has read its input', async () => {
    expect((await run(['ignore its input'], { input: [new Uint8Array(10_000_000)] })).exitCode).to.equal(0);
  });

  for (const [stream, limits] of [
    ['output', { maxOutputBytes: 1_000_000 }],
    ['errors', { maxErrorBytes: 1_000_000 }],
  ] as const) {
    it(`kills a program that exceeds its limit on ${stream}`, async () => {
      await appErrorOf(run(['flood', stream], limits), 'ENGINE_CRASHED');
    });
  }

  it('kills the program when the signal aborts, and throws the reason of the signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const work = rejectionOf(run(['hang'], { signal: controller.signal }));
    controller.abort(reason);
    expect(await work).to.equal(reason);
    expect(await rejectionOf(run(['hang'], { signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('throws ENGINE_CRASHED for a program that cannot be started', async () => {
    await appErrorOf(runProgram(misbehavingCall([], { program: '/no/such/program' })), 'ENGINE_CRASHED');
  });

  (hasPrlimit ? it : it.skip)(
    `limits the size of files that a program writes${hasPrlimit ? '' : ' (skipped: prlimit is not installed)'}`,
    async () => {
      const { exitCode } = await run(['write a large file', '2000000'], { maxFileBytes: 1_000_000 });
      expect(exitCode).to.not.equal(0);
    },
  );

  it('closes standard input if `keepsInputOpen` is not set', async () => {
    expect((await run(['wait for the end of input'], { input: [] })).exitCode).to.equal(0);
  });

  it('describeMissingLimits returns full sentences', async () => {
    for (const sentence of await describeMissingLimits()) expect(sentence).to.match(/^[A-Z].*\.$/);
  });
});
