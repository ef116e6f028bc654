import { globSync } from 'node:fs'
import { isDeep } from './depth.ts'
import { databaseTests } from './needs-database.ts'

/**
 * What runs on PostgreSQL in `npm run test:deep` only: tests of what happens before the database is
 * reached, of the page, the sandbox and Stripe, of what a processor's response means, of who may see
 * what, which both databases are asked by the same queries, of the documentation, and those that take
 * long for what the database adds.
 */
const SQLITE_UNLESS_DEEP = [
  'server/cli/{client,instance,payment,serve,user}.test.ts',
  'server/processors/sandbox/*.test.ts',
  'server/processors/stripe/{changes,faults,follow-up-faults,methods}.test.ts',
  'server/http/{anonymous-requests,cached-responses,compress,embed-script,health,never-waits,odd-bodies}.test.ts',
  'server/http/{list-reads,rate-limit,repeated-headers,scopes,server-limits,unknown-parameters,unread-body}.test.ts',
  'server/authentication/*.test.ts',
  'server/card-testing/enforce-limits.test.ts',
  'server/checkouts/{amount-choice,resolve-payment-method}.test.ts',
  'server/cli/{processor,secrets}.test.ts',
  'server/{expansions,metrics}.test.ts',
  'server/mail/{notices,receipt,send-link}.test.ts',
  'server/jobs/{test-clocks,test-clock-year,real-clock}.test.ts',
  'server/oauth/{authorize-routes,libraries,revoke}.test.ts',
  'server/payment-methods/routes.test.ts',
  'server/pay-page/*.test.ts',
  'server/payments/{capture-outcome,check-payment,create-payment-outcome,lying-processor,operation-outcome}.test.ts',
  'server/processor-connections/*.test.ts',
  'server/strings/{effect,routes}.test.ts',
  'server/users/{first-user,front-page,sign-in,verify-password}.test.ts',
  'server/users/factors/*.test.ts',
  'server/webhooks/{disable-failing,internal-address,replay,routes}.test.ts',
  'test/docs/*.test.ts',
  'test/isolation/*.test.ts',
  'test/security/*.test.ts',
  'test/sandbox/*.test.ts',
  'test/{criteria-fields,request-examples,shutdown-and-restart}.test.ts',
  'test/fuzz/*.test.ts',
  'test/stripe/*.test.ts',
  'test/stripe-failpoints.test.ts',
  'test/stripe-model/*.test.ts',
]

/**
 * Returns the three test projects. A test file that opens a test database runs on SQLite and on
 * PostgreSQL, unless its name ends in `.sqlite.test.ts` or `.postgres.test.ts`; every other file runs
 * once, in `rules`. The files of a project share modules (`isolate: false`), because loading the
 * product anew for each file would take longer than the file's tests.
 */
export function testProjects(root: string) {
  const needsDatabase = databaseTests(root)
  const files = globSync('{server,test,scripts/crash}/**/*.test.ts', { cwd: root })
  const isFor = (database: string, file: string) => file.endsWith(`.${database}.test.ts`)
  const sqliteOnly = files.filter((file) => isFor('sqlite', file))
  const postgresOnly = files.filter((file) => isFor('postgres', file))
  const both = files.filter(
    (file) => !sqliteOnly.includes(file) && !postgresOnly.includes(file) && needsDatabase(file),
  )
  const onDatabase = (name: string, own: string[], exclude: readonly string[]) => ({
    extends: true as const,
    test: {
      name,
      isolate: false,
      include: [...both, ...own],
      exclude: [...exclude],
      env: { CHECKSTAND_TEST_DATABASE: name },
    },
  })
  const postgres = onDatabase('postgres', postgresOnly, isDeep ? [] : SQLITE_UNLESS_DEEP)
  return [
    {
      extends: true as const,
      test: {
        name: 'rules',
        isolate: false,
        include: [
          '{server,shared,test,widget,console,locales}/**/*.test.{ts,tsx}',
          'scripts/*.test.ts',
        ],
        exclude: [...both, ...sqliteOnly, ...postgresOnly, '**/node_modules/**'],
      },
    },
    onDatabase('sqlite', sqliteOnly, []),
    { ...postgres, test: { ...postgres.test, globalSetup: ['test/postgres.ts'] } },
  ]
}
