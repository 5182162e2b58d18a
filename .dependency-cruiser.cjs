/** The architecture in rules: hosts -> core <- adapters; contract-tests know the core alone. */
const core = '^core/src/';
const ownPackages = '^(core|adapters/[^/]+|hosts/[^/]+|contract-tests)/';

module.exports = {
  forbidden: [
    {
      name: 'core-knows-nobody',
      comment: 'The core imports only itself, and zod where input from outside is parsed.',
      severity: 'error',
      from: { path: core },
      to: { pathNot: [core, 'node_modules/zod/'] },
    },
    {
      name: 'domain-knows-no-ports',
      comment: 'Ports import domain types, never the other way round.',
      severity: 'error',
      from: { path: '^core/src/(document|account|rate-limit|mail|export|revision|search|errors|units)' },
      to: { path: '^core/src/(ports|use-cases)/' },
    },
    {
      name: 'ports-know-no-use-cases',
      severity: 'error',
      from: { path: '^core/src/(ports|recognition)/' },
      to: { path: '^core/src/use-cases/' },
    },
    {
      name: 'adapters-know-core-and-one-technology',
      comment: 'An adapter imports no host and no other adapter. Two packages are shared: child-process and files.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/src/' },
      to: { path: ownPackages, pathNot: [core, '^adapters/$1/', '^adapters/(child-process|files)/'] },
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
      from: { pathNot: '^hosts/composition/src/' },
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
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
