import Mocha from 'mocha';
import { dropContracts, keepContracts, keepServices, rowKeyOf, reasonFor, onlyStatesReason } from './suites.ts';
import { Rows } from './rows.ts';

const TIMEOUT_MS = 60_000; // the same as in .mocharc.json

const reporter = process.stdout.isTTY ? 'dot' : 'spec'; // both print the stack of each failure at the end

/** The tests to run. */
export interface Plan {
  readonly root: string;
  readonly files: readonly string[];
  readonly ports: ReadonlySet<string>;
  readonly part: 'contracts' | 'others' | 'all'; // of the tests in the files
  readonly services?: readonly string[]; // only the suites of these services
}

/** Runs the tests, prints their results, and returns the rows of the table. */
export const runTests = async ({ root, files, ports, part, services }: Plan): Promise<Rows> => {
  process.on('unhandledRejection', (reason) => {
    throw reason; // fails the running test
  });
  const mocha = new Mocha({ reporter, timeout: TIMEOUT_MS, forbidOnly: true });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  if (services !== undefined) keepServices(mocha.suite, new Set(services));
  if (part === 'contracts') keepContracts(mocha.suite, ports);
  if (part === 'others') dropContracts(mocha.suite, ports);

  const rows = new Rows();
  const rowOf = (suite: Mocha.Suite | undefined) => rows.at(rowKeyOf(suite, ports, root));
  mocha.suite.eachTest((test: Mocha.Test) => {
    if (!onlyStatesReason(test)) rowOf(test.parent).planned += 1;
  });
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        rows.isAborted = true;
        runner.abort(); // still runs the hooks that stop the servers
      });
    }
    runner.on('pass', (test) => void (rowOf(test.parent).passed += 1));
    runner.on('fail', (test) => {
      if (!rows.isAborted) rowOf(test.parent).failed += 1; // later failures are caused by the same signal
    });
    runner.on('pending', (test) => {
      if (onlyStatesReason(test)) return;
      const row = rowOf(test.parent);
      row.pending += 1;
      row.reasons.add(reasonFor(test));
    });
  });
  return rows;
};
