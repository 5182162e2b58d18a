import Mocha from 'mocha';
import { dropContracts, keepContracts, keepServices, placeOf, reasonFor, standsForOthers } from './places.ts';
import { Rows } from './rows.ts';

const TIMEOUT_MS = 60_000; // as for the other tests

const reporter = process.stdout.isTTY ? 'dot' : 'spec'; // both end with the stacks of what failed

/** What to run. */
export interface Plan {
  readonly root: string;
  readonly files: readonly string[];
  readonly ports: ReadonlySet<string>;
  readonly part: 'contracts' | 'others' | 'all'; // of the tests in the files
  readonly services?: readonly string[]; // leave out what was not described for one of these
}

/** Runs the tests, which print as they go, and resolves with what came of them. */
export const runTests = async ({ root, files, ports, part, services }: Plan): Promise<Rows> => {
  process.on('unhandledRejection', (reason) => {
    throw reason; // to be a failure of the test that runs
  });
  const mocha = new Mocha({ reporter, timeout: TIMEOUT_MS, forbidOnly: true });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  if (services !== undefined) keepServices(mocha.suite, new Set(services));
  if (part === 'contracts') keepContracts(mocha.suite, ports);
  if (part === 'others') dropContracts(mocha.suite, ports);

  const rows = new Rows();
  const rowOf = (suite: Mocha.Suite | undefined) => rows.at(placeOf(suite, ports, root));
  mocha.suite.eachTest((test: Mocha.Test) => {
    if (!standsForOthers(test)) rowOf(test.parent).planned += 1;
  });
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        rows.isAborted = true;
        runner.abort(); // the hooks that stop the servers are still run
      });
    }
    runner.on('pass', (test) => void (rowOf(test.parent).passed += 1));
    runner.on('fail', (test) => {
      if (!rows.isAborted) rowOf(test.parent).failed += 1; // what fails afterwards lost its servers and processes to the same signal
    });
    runner.on('pending', (test) => {
      if (standsForOthers(test)) return;
      const row = rowOf(test.parent);
      row.pending += 1;
      row.reasons.add(reasonFor(test));
    });
  });
  return rows;
};
