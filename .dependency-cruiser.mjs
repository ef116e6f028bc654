// What may import what, type imports included. Each group imports itself and the groups below it in
// this list, never one above. A path ends a file or names a folder.
const LAYERS = [
  ['shared/rules/'],
  ['shared/schemas/'],
  ['shared/'],
  [
    'server/errors.ts',
    'server/amount.ts',
    'server/timeout.ts',
    'server/ids.ts',
    'server/clock.ts',
    'server/root.ts',
    'server/bounded-concurrency.ts',
    'server/bounded-map.ts',
    'server/failpoint.ts',
    'server/node-version.ts',
  ],
  ['server/db/'],
  ['server/keyed-digest.ts'],
  ['server/observe/'],
  ['server/outbound/'],
  ['server/auth/'],
  ['server/config.ts'],
  ['server/criteria/'],
  ['server/rate-limits/'],
  ['server/processors/'],
  ['server/deps.ts'],
  ['server/http/'],
  ['server/actor-sessions/'],
  ['server/events/'],
  ['server/instances/'],
  ['server/strings/'],
  ['server/users/'],
  ['server/accounts/'],
  ['server/payment-methods/'],
  ['server/contracts/'],
  ['server/charges/'],
  ['server/payments/'],
  ['server/payment-links/'],
  ['server/card-testing/'],
  ['server/checkouts/'],
  ['server/pay-page/'],
  ['server/oauth/'],
  ['server/authentication/'],
  ['server/webhooks/'],
  ['server/admin/'],
  ['server/jobs/'],
  ['server/metrics.ts'],
  ['server/expansions.ts'],
  ['server/app.ts'],
  ['server/index.ts'],
  ['server/cli/'],
  ['server/main.ts'],
]

const TEST = String.raw`\.test\.tsx?$|/testing(/|\.ts$)`

/** A pattern for the paths of a group: a folder stands for what is in it. */
const pathsOf = (group) =>
  `^(${group.map((path) => path.replaceAll('.', String.raw`\.`) + (path.endsWith('/') ? '' : '$')).join('|')})`

const layers = LAYERS.slice(0, -1).map((group, at) => ({
  name: `${group[0]} looks down only`,
  severity: 'error',
  from: {
    path: pathsOf(group),
    // A subfolder may have a layer of its own, as `shared/rules/` has.
    pathNot: [TEST, ...LAYERS.slice(0, at).flatMap((lower) => pathsOf(lower))],
  },
  to: {
    path: pathsOf(LAYERS.slice(at + 1).flat()),
    pathNot: pathsOf(LAYERS.slice(0, at + 1).flat()),
  },
}))

const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    forbid('no circle between files', {}, { circular: true }),
    ...layers,
    forbid(
      'every file of the server has a layer',
      { path: '^server/', pathNot: [TEST, pathsOf(LAYERS.flat())] },
      {},
    ),
    forbid(
      'products import no tests',
      { path: '^(server|shared|widget)/', pathNot: [TEST, '^widget/gallery/'] },
      { path: [TEST, '^(test|scripts|e2e)/'] },
    ),
    forbid(
      'rules import the ISO 4217 list and nothing else',
      { path: '^shared/rules/', pathNot: TEST },
      { pathNot: ['^shared/rules/', 'currency-codes'] },
    ),
    forbid(
      'schemas import zod and the ISO 3166 list',
      { path: '^shared/schemas/', pathNot: TEST },
      { pathNot: ['^shared/(rules|schemas)/', 'node_modules/(zod|iso-3166)/'] },
    ),
    forbid(
      'the page carries no schemas: zod is 22 kB',
      { path: '^widget/(page|ui)/', pathNot: TEST },
      { path: ['^shared/schemas/', 'node_modules/zod/'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'the page runs in a browser',
      { path: '^widget/(page|ui|embed)/', pathNot: TEST },
      { path: ['^server/', 'node_modules/(hono|@hono|kysely|pino|pg|better-sqlite3)/'] },
    ),
    forbid(
      'the page uses nothing of Node',
      { path: '^widget/(page|ui|embed)/', pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'the embed script imports its messages only',
      { path: '^widget/embed/', pathNot: [TEST, '^widget/embed/react'] },
      { pathNot: ['^widget/embed/', '^shared/embed-messages'] },
    ),
    forbid(
      'the server loads the built page, never its sources',
      { path: '^server/', pathNot: TEST },
      { path: '^widget/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only server/db speaks to database drivers',
      { path: '^server/', pathNot: [TEST, '^server/db/'] },
      { path: 'node_modules/(better-sqlite3|pg|pg-cursor)/' },
    ),
    forbid(
      'a processor knows its port and how to compile a query',
      { path: '^server/processors/', pathNot: TEST },
      {
        path: '^server/',
        pathNot: ['^server/processors/', '^server/db/compiled-query', pathsOf(LAYERS[3])],
      },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // The parser reads programs, not declarations.
    exclude: { path: String.raw`\.d\.m?ts$` },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
}
