import { globSync } from 'node:fs'
import { isDeep } from './depth.ts'
import { databaseTests } from './needs-database.ts'

/**
 * What `npm test` runs on PostgreSQL as well as on SQLite: tests of locks and races, of the queries that
 * differ, of stored values that the two databases order or compare in their own way, and of the money
 * that a transaction moves. `npm run test:deep` runs every test on both.
 */
const BOTH_DATABASES = [
  'packages/client/test/client.test.ts',
  'server/attention/*.test.ts',
  'server/charges/{allocations,charges}.test.ts',
  'server/checkout-monitor/report.test.ts',
  'server/checkouts/{charges,close-sessions,prune,session,submit}.test.ts',
  'server/criteria/*.test.ts',
  'server/db/**/*.test.ts',
  'server/deep-links/{pay,pay-charges}.test.ts',
  'server/event-stream/*.test.ts',
  'server/events/*.test.ts',
  'server/http/{idempotency,if-match}.test.ts',
  'server/insights/*.test.ts',
  'server/jobs/{clock-order,scheduler}.test.ts',
  'server/legal-entity-routes/*.test.ts',
  'server/mail/deliver.test.ts',
  'server/oauth/{rotation,token}.test.ts',
  'server/payment-links/{expire,list,routes}.test.ts',
  'server/payments/{capture,collect-due-charges,idempotency,lookup,races,refund,same-card}.test.ts',
  'server/privacy/anonymise.test.ts',
  'server/processors/journal.test.ts',
  'server/rate-limits/*.test.ts',
  'server/strings/revisions.test.ts',
  'server/user-management/users.test.ts',
  'server/webhooks/{deliver,fan-out}.test.ts',
  'test/{database,lists,query-plans,shared-keys}.test.ts',
  'test/money-model/*.test.ts',
]

/**
 * Returns the three test projects. A test file that opens a test database runs on SQLite and on
 * PostgreSQL, unless its name ends in `.sqlite.test.ts` or `.postgres.test.ts`; every other file runs
 * once, in `rules`. The files of a project share modules (`isolate: false`), because loading the
 * product anew for each file would take longer than the file's tests.
 */
export function testProjects(root: string) {
  const needsDatabase = databaseTests(root)
  const files = globSync('{server,test,scripts/crash,packages}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const isFor = (database: string, file: string) => file.endsWith(`.${database}.test.ts`)
  const sqliteOnly = files.filter((file) => isFor('sqlite', file))
  const postgresOnly = files.filter((file) => isFor('postgres', file))
  const both = files.filter(
    (file) => !sqliteOnly.includes(file) && !postgresOnly.includes(file) && needsDatabase(file),
  )
  const onDatabase = (name: string, include: string[]) => ({
    extends: true as const,
    test: {
      name,
      isolate: false,
      include,
      env: { CHECKSTAND_TEST_DATABASE: name },
    },
  })
  const differs = new Set(globSync(BOTH_DATABASES, { cwd: root }))
  const postgres = onDatabase('postgres', [
    ...both.filter((file) => isDeep || differs.has(file)),
    ...postgresOnly,
  ])
  return [
    {
      extends: true as const,
      test: {
        name: 'rules',
        isolate: false,
        include: [
          '{server,shared,test,widget,console,locales,packages}/**/*.test.{ts,tsx}',
          'scripts/*.test.ts',
        ],
        exclude: [...both, ...sqliteOnly, ...postgresOnly, '**/node_modules/**'],
      },
    },
    onDatabase('sqlite', [...both, ...sqliteOnly]),
    { ...postgres, test: { ...postgres.test, globalSetup: ['test/postgres.ts'] } },
  ]
}
