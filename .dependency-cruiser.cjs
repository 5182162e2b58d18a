/** The architecture in rules: hosts -> core <- adapters; contract-tests know the core alone. */
const core = '^core/src/';
// Libraries between an adapter and its technology, which several adapters share.
const sharedByAdapters = '^adapters/(child-process|files|pdfium-file|sharp-file|office-package|job-store)/';
const ownPackages = '^(core|adapters/[^/]+|hosts/[^/]+|contract-tests)/';

module.exports = {
  forbidden: [
    {
      name: 'core-imports-only-itself',
      comment: 'The core imports only itself, and zod where input from outside is parsed.',
      severity: 'error',
      from: { path: core },
      to: { pathNot: [core, 'node_modules/zod/'] },
    },
    {
      name: 'domain-knows-no-ports',
      comment: 'Data types and rules are pure: code that calls a port is a use case.',
      severity: 'error',
      from: { path: core, pathNot: '^core/src/(ports/|use-cases/|index\\.ts$)' },
      to: { path: '^core/src/(ports|use-cases)/' },
    },
    {
      name: 'ports-know-no-use-cases',
      comment: 'Ports import domain types.',
      severity: 'error',
      from: { path: '^core/src/ports/' },
      to: { path: '^core/src/use-cases/' },
    },
    {
      name: 'adapters-know-core-and-one-technology',
      comment: 'An adapter imports no host and no other adapter, apart from the shared libraries.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/src/' },
      to: { path: ownPackages, pathNot: [core, '^adapters/$1/', sharedByAdapters] },
    },
    {
      name: 'contract-tests-know-core-only',
      severity: 'error',
      from: { path: '^contract-tests/src/' },
      to: { path: ownPackages, pathNot: [core, '^contract-tests/src/'] },
    },
    {
      name: 'only-composition-knows-adapters',
      severity: 'error',
      from: { path: '^hosts/', pathNot: ['^hosts/composition/', '/test/'] },
      to: { path: '^adapters/' },
    },
    {
      name: 'only-composition-knows-inversify',
      severity: 'error',
      from: { pathNot: '^hosts/composition/(src|test)/' },
      to: { path: 'node_modules/(inversify|reflect-metadata)/' },
    },
    {
      name: 'published-code-knows-no-tests',
      severity: 'error',
      from: { path: '/src/' },
      to: { path: '/test/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-declared-dependencies',
      comment: 'The package.json of a package names everything that its sources import.',
      severity: 'error',
      from: { path: '/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@palimpsest/source', 'types', 'import', 'node', 'default'],
    },
  },
};
