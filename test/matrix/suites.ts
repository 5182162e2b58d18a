import { relative, sep } from 'node:path';
import type { Suite, Test } from 'mocha';
import { serviceOf } from '../services/service.ts';
import type { RowKey } from './rows.ts';
import { backendOf, isNeedOfServer, isPartOf, reasonOf, subjectOf, type Subject } from './titles.ts';

const EMBEDDED = 'embedded'; // adapters that need no server
const OWN_TESTS = '(own tests)';

const ancestors = function* (suite: Suite | undefined): Generator<Suite> {
  for (let at = suite; at !== undefined; at = at.parent) yield at;
};

const ownSubject = (suite: Suite, ports: ReadonlySet<string>): Subject | undefined => {
  const subject = subjectOf(suite.title, ports);
  const siblings = suite.parent?.suites ?? [];
  if (subject !== undefined) return subject;
  return siblings
    .slice(0, siblings.indexOf(suite))
    .map(({ title }) => subjectOf(title, ports))
    .findLast((earlier) => earlier !== undefined && isPartOf(suite.title, earlier));
};

/** The contract suite that contains the given suite, or is it. */
const subjectAround = (suite: Suite | undefined, ports: ReadonlySet<string>): Subject | undefined => {
  for (const each of ancestors(suite)) {
    const subject = ownSubject(each, ports);
    if (subject !== undefined) return subject;
  }
  return undefined;
};

const backendAround = (suite: Suite | undefined): string => {
  for (const each of ancestors(suite)) {
    const backend = backendOf(each.title);
    if (backend !== undefined) return backend;
  }
  return EMBEDDED;
};

/** The package of a test file: `mongodb` for `adapters/mongodb/test/x.test.ts`, `test` for `test/x.test.ts`. */
const packageOf = (file: string | undefined, root: string): string => {
  const [first = '', second = ''] = relative(root, file ?? root).split(sep);
  return first === 'adapters' || first === 'hosts' ? second : first;
};

/** The row of the table to which the tests of a suite belong. */
export const rowKeyOf = (suite: Suite | undefined, ports: ReadonlySet<string>, root: string): RowKey => {
  const subject = subjectAround(suite, ports) ?? { port: OWN_TESTS, adapter: packageOf(suite?.file, root) };
  return { ...subject, backend: backendAround(suite) };
};

/** The reason of a pending test: from its own title, from a test beside it that only states the reason, or else its title. */
export const reasonFor = (test: Test): string => {
  const around = [...ancestors(test.parent)].flatMap((suite) => suite.tests.map(({ title }) => reasonOf(title)));
  return reasonOf(test.title) ?? around.find((reason) => reason !== undefined) ?? test.title;
};

/** Whether a test only states why the suites beside it are pending. The tests of these suites are counted themselves. */
export const onlyStatesReason = (test: Test): boolean =>
  reasonOf(test.title) !== undefined &&
  (test.parent?.suites ?? []).some((suite) => suite.pending && backendOf(suite.title) !== undefined);

/** Removes all suites except the wanted ones and the tests that report a missing server. Returns whether anything is left. */
const keep = (tree: Suite, isWanted: (suite: Suite) => boolean): boolean => {
  // Starts at the end, because the title of a suite may depend on an earlier suite.
  for (const inner of tree.suites.toReversed()) {
    if (!isWanted(inner) && !keep(inner, isWanted)) tree.suites.splice(tree.suites.indexOf(inner), 1);
  }
  tree.tests = tree.tests.filter(({ title }) => reasonOf(title) !== undefined || isNeedOfServer(title));
  return tree.suites.length > 0 || tree.tests.length > 0;
};

/** Keeps only the contract suites. */
export const keepContracts = (tree: Suite, ports: ReadonlySet<string>): void =>
  void keep(tree, (suite) => ownSubject(suite, ports) !== undefined);

/** Keeps only the suites that were described for one of these services. */
export const keepServices = (tree: Suite, services: ReadonlySet<string>): void =>
  void keep(tree, (suite) => services.has(serviceOf(suite) ?? ''));

/** Removes the contract suites. */
export const dropContracts = (tree: Suite, ports: ReadonlySet<string>): void => {
  for (const inner of tree.suites.toReversed()) {
    dropContracts(inner, ports);
    if (ownSubject(inner, ports) !== undefined) tree.suites.splice(tree.suites.indexOf(inner), 1);
  }
};
