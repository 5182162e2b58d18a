import { relative, sep } from 'node:path';
import type { Suite, Test } from 'mocha';
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
  reasonOf(test.title) !== undefined && (test.parent?.suites ?? []).some((suite) => suite.pending && backendOf(suite.title) !== undefined);

/** Leaves of a suite what is of a contract, and what tells of a server that is not there. Whether anything is left. */
export const keepContracts = (suite: Suite, ports: ReadonlySet<string>): boolean => {
  // From the last: what a suite is may be told by one before it.
  for (const inner of suite.suites.toReversed()) {
    const isContract = ownSubject(inner, ports) !== undefined;
    if (!isContract && !keepContracts(inner, ports)) suite.suites.splice(suite.suites.indexOf(inner), 1);
  }
  suite.tests = suite.tests.filter(({ title }) => reasonOf(title) !== undefined || isNeedOfServer(title));
  return suite.suites.length > 0 || suite.tests.length > 0;
};
