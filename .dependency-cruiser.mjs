// What may import what, type imports included. The list begins with the lowest layer: a layer imports
// itself and those before it, never one after it. A path is a file, or a folder when it ends in `/`.
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
    'server/cache.ts',
    'server/failpoint.ts',
    'server/fair-queue.ts',
    'server/node-version.ts',
    'server/secret-key.ts',
    'server/encryption.ts',
    'server/retry-delay.ts',
    'server/smtp-url.ts',
    'server/security-event-types.ts',
  ],
  ['server/db/'],
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
  ['server/audit/'],
  ['server/events/'],
  ['server/secret-keys/'],
  ['server/instances/'],
  ['server/strings/'],
  ['server/users/'],
  ['server/preferences/'],
  ['server/views/'],
  ['server/processor-connections/'],
  ['server/legal-entities/'],
  ['server/legal-entity-routes/'],
  ['server/accounts/'],
  ['server/payment-methods/'],
  ['server/contracts/'],
  ['server/charges/'],
  ['server/payments/'],
  ['server/method-setups/'],
  ['server/payment-links/'],
  ['server/deep-links/'],
  ['server/card-testing/'],
  ['server/checkout-monitor/'],
  ['server/deep-link-tasks/'],
  ['server/checkouts/'],
  ['server/pay-page/'],
  ['server/oauth/'],
  ['server/authentication/'],
  ['server/mail/'],
  ['server/user-management/'],
  ['server/webhooks/'],
  ['server/timeline/'],
  ['server/attention/'],
  ['server/event-stream/'],
  ['server/insights/'],
  ['server/privacy/'],
  ['server/admin/'],
  ['server/jobs/'],
  ['server/metrics.ts'],
  ['server/expansions.ts'],
  ['server/docs/'],
  ['server/console/'],
  ['server/app.ts'],
  ['server/index.ts'],
  ['server/cli/'],
  ['server/main.ts'],
]

/** The folders of the page. They share the state in `widget/page/*.ts`, whose files form no circle. */
const PAGE_LAYERS = [
  ['widget/ui/'],
  ['widget/page/form-field/'],
  ['widget/page/methods/'],
  ['widget/page/components/'],
  ['widget/page/chunks/'],
  ['widget/page/framed/'],
]

/** The folders of the console. Screens share no code but what stands below them. */
const CONSOLE_LAYERS = [
  ['console/words.ts', 'console/boot.ts'],
  ['console/api/'],
  ['console/preferences.ts'],
  ['console/address.ts'],
  ['console/shell/common-words.ts'],
  ['console/ui/'],
  ['console/shell/'],
  ['console/preview/'],
  ['console/list/'],
  ['console/screens/'],
  ['console/App.tsx'],
  ['console/main.tsx'],
]

const TEST = String.raw`\.test\.tsx?$|/testing(/|\.ts$)`

/** A pattern for the paths of a group: a folder stands for what is in it. */
const pathsOf = (group) =>
  `^(${group.map((path) => path.replaceAll('.', String.raw`\.`) + (path.endsWith('/') ? '' : '$')).join('|')})`

/** The patterns of those `layers` that are in folders of `others`, as `shared/rules/` is in `shared/`. */
const inside = (layers, others) => {
  const folders = others.filter((path) => path.endsWith('/'))
  const found = layers.filter((path) => folders.some((folder) => path.startsWith(folder)))
  return found.length === 0 ? [] : [pathsOf(found)]
}

// The patterns are kept short: the program examines each of them for its safety, which takes longer than
// the use of them.
const layersOf = (list) =>
  list.slice(0, -1).map((group, at) => {
    const [lower, higher] = [list.slice(0, at).flat(), list.slice(at + 1).flat()]
    return {
      name: `${group[0]} looks down only`,
      severity: 'error',
      from: { path: pathsOf(group), pathNot: [TEST, ...inside(lower, group)] },
      to: { path: pathsOf(higher), pathNot: inside([...lower, ...group], higher) },
    }
  })

const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    forbid('no circle between files', {}, { circular: true }),
    ...layersOf(LAYERS),
    ...layersOf(PAGE_LAYERS),
    ...layersOf(CONSOLE_LAYERS),
    forbid(
      'every file of the server has a layer',
      { path: '^server/', pathNot: [TEST, pathsOf(LAYERS.flat())] },
      {},
    ),
    forbid(
      'every file that the server imports has a layer',
      { path: '^server/' },
      { path: '^server/', pathNot: [TEST, pathsOf(LAYERS.flat()), String.raw`\.css$`] },
    ),
    forbid(
      'products import no tests',
      { path: '^(server|shared|widget|console)/', pathNot: [TEST, '^(widget|console)/gallery/'] },
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
      { path: '^widget/(page|ui|scenes|preview)/', pathNot: TEST },
      { path: ['^shared/schemas/', 'node_modules/zod/'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'the page runs in a browser',
      { path: '^widget/(page|ui|embed|scenes|preview)/', pathNot: TEST },
      { path: ['^server/', 'node_modules/(hono|@hono|kysely|pino|pg|better-sqlite3)/'] },
    ),
    forbid(
      'the page uses nothing of Node',
      { path: '^widget/(page|ui|embed|scenes|preview)/', pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'the console runs in a browser, and calls the API alone',
      { path: '^console/', pathNot: [TEST, '^console/(build|gallery)/'] },
      {
        path: ['^server/', '^widget/', 'node_modules/(hono|@hono|kysely|pino|pg|better-sqlite3)/'],
      },
    ),
    forbid(
      'the console carries no schemas',
      { path: '^console/', pathNot: [TEST, '^console/(build|gallery)/'] },
      { path: ['^shared/schemas/', 'node_modules/zod/'], dependencyTypesNot: ['type-only'] },
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
      'a package for others brings nothing of the product',
      { path: '^packages/([^/]+)/src/' },
      { pathNot: ['^packages/$1/src/'], dependencyTypesNot: ['core'] },
    ),
    forbid(
      'only server/db speaks to database drivers',
      { path: '^server/', pathNot: [TEST, '^server/db/'] },
      { path: 'node_modules/(better-sqlite3|pg|pg-cursor)/' },
    ),
    forbid(
      'an adapter knows its port and how to compile a query',
      { path: '^server/processors/[^/]+/', pathNot: TEST },
      {
        path: '^server/',
        pathNot: [
          '^server/processors/',
          '^server/db/compiled-query',
          '^server/observe/log',
          pathsOf(LAYERS[3]),
        ],
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
