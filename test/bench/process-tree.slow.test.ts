import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { treeMicros, whyNoProcessTimes } from './process-tree.ts';

const WORKED_MICROS = 300_000;
const WORK = `
  const worked = () => { const { user, system } = process.cpuUsage(); return user + system; };
  while (worked() < ${WORKED_MICROS});
  process.stdout.write('done');
  process.stdin.resume();
`;

describe('treeMicros', () => {
  before(function () {
    const reason = whyNoProcessTimes();
    if (reason === undefined) return;
    console.log(`      skipped: ${reason}`);
    this.skip();
  });

  it('includes the CPU time of a running and of an exited child process', async () => {
    const begun = treeMicros(process.pid);
    const child = spawn(process.execPath, ['-e', WORK], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const whileRunning = treeMicros(process.pid) - begun;
    child.stdin.end();
    await ended;
    const afterExit = treeMicros(process.pid) - begun;
    expect(whileRunning).to.be.above(0.9 * WORKED_MICROS);
    expect(afterExit).to.be.at.least(whileRunning);
  });

  it('excludes the CPU time of other processes', async () => {
    const busy = spawn(process.execPath, ['-e', WORK], { stdio: ['pipe', 'pipe', 'inherit'] });
    const idle = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = [once(busy, 'exit'), once(idle, 'exit')];
    await once(busy.stdout, 'data');
    expect(treeMicros(busy.pid ?? 0)).to.be.above(0.9 * WORKED_MICROS);
    expect(treeMicros(idle.pid ?? 0)).to.be.below(0.9 * WORKED_MICROS);
    busy.stdin.end();
    idle.stdin.end();
    await Promise.all(ended);
  });
});
