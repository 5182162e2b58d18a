import { relative, sep } from 'node:path';
import type { Suite, Test } from 'mocha';
import { serviceOf } from '../services/service.ts';
import type { Place } from './rows.ts';
import { backendOf, isNeedOfServer, isPartOf, reasonOf, subjectOf, type Subject } from './titles.ts';

const EMBEDDED = 'embedded'; // the adapter is its own backend
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

/** The contract suite that a suite is or is in. */
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

/** `adapters/mongodb/test/x.test.ts` is of `mongodb`, `test/x.test.ts` of `test`. */
const packageOf = (file: string | undefined, root: string): string => {
  const [first = '', second = ''] = relative(root, file ?? root).split(sep);
  return first === 'adapters' || first === 'hosts' ? second : first;
};

/** To which row the tests of a suite belong. */
export const placeOf = (suite: Suite | undefined, ports: ReadonlySet<string>, root: string): Place => {
  const subject = subjectAround(suite, ports) ?? { port: OWN_TESTS, adapter: packageOf(suite?.file, root) };
  return { ...subject, backend: backendAround(suite) };
};

/** Why a test is pending: what it says itself, or a test that stands for all beside it; otherwise its title is all there is. */
export const reasonFor = (test: Test): string => {
  const around = [...ancestors(test.parent)].flatMap((suite) => suite.tests.map(({ title }) => reasonOf(title)));
  return reasonOf(test.title) ?? around.find((reason) => reason !== undefined) ?? test.title;
};

/** Whether a test says of others why they are left out, which are counted themselves. */
export const standsForOthers = (test: Test): boolean =>
  reasonOf(test.title) !== undefined &&
  (test.parent?.suites ?? []).some((suite) => suite.pending && backendOf(suite.title) !== undefined);

/** Leaves of a tree the suites that `isWanted` says, each whole, and beside them what tells of a server that is not there. Whether anything is left. */
const keep = (tree: Suite, isWanted: (suite: Suite) => boolean): boolean => {
  // From the last: what a suite is may be told by one before it.
  for (const inner of tree.suites.toReversed()) {
    if (!isWanted(inner) && !keep(inner, isWanted)) tree.suites.splice(tree.suites.indexOf(inner), 1);
  }
  tree.tests = tree.tests.filter(({ title }) => reasonOf(title) !== undefined || isNeedOfServer(title));
  return tree.suites.length > 0 || tree.tests.length > 0;
};

/** Leaves the suites of contracts. */
export const keepContracts = (tree: Suite, ports: ReadonlySet<string>): void =>
  void keep(tree, (suite) => ownSubject(suite, ports) !== undefined);

/** Leaves the suites that were described for one of these services. */
export const keepServices = (tree: Suite, services: ReadonlySet<string>): void =>
  void keep(tree, (suite) => services.has(serviceOf(suite) ?? ''));

/** Leaves what is of no contract. */
export const dropContracts = (tree: Suite, ports: ReadonlySet<string>): void => {
  for (const inner of tree.suites.toReversed()) {
    dropContracts(inner, ports);
    if (ownSubject(inner, ports) !== undefined) tree.suites.splice(tree.suites.indexOf(inner), 1);
  }
};
