import { readFileSync } from 'node:fs'
import { type Config, readConfig } from '../config.ts'
import { appliedTo } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { assertNodeVersion } from '../node-version.ts'
import { watchDiskSpace } from '../observe/disk-space.ts'
import { ROOT } from '../root.ts'
import { assertDatabase } from './database.ts'
import { print, printList } from './output.ts'
import { readOptions, JSON_OPTION } from './usage.ts'

const HELP = `npx checkstand doctor [--ready] [--json]

Says what is wrong with a set-up: Node, settings, database, disk, live instances, users and the server
itself. Changes nothing; a server may be running. The exit code is 1 when something has to be mended.

--ready only asks the server on this machine whether it takes payments, for the health check of a
container.`

/** What a check found. `warning` is worth a look; `problem` has to be mended. */
interface Finding {
  check: string
  result: 'ok' | 'warning' | 'problem'
  about: string
}

const READY_MS = 5000

/** `checkstand doctor`. */
export async function doctorCommand(args: string[]): Promise<void> {
  const parsed = readOptions(args, {
    help: HELP,
    options: { ...JSON_OPTION, ready: { type: 'boolean' } },
  })
  if (!parsed) return
  const { json = false, ready = false } = parsed.values
  if (ready) {
    const found = await checkServer(readConfig())
    if (found.result !== 'ok') throw new Error(found.about)
    return print({ ready: true }, json)
  }
  const findings = await examine()
  printList('findings', findings, json)
  if (findings.some(({ result }) => result === 'problem')) {
    throw new Error('Something has to be mended')
  }
}

async function examine(): Promise<Finding[]> {
  const findings = [checkNode()]
  const config = attempt('settings', () => readConfig())
  if ('result' in config) return [...findings, config]
  findings.push(ok('settings', `${config.baseUrl}, port ${config.port}`))
  findings.push(...(await checkDatabase(config)), await checkServer(config))
  return findings
}

const ok = (check: string, about: string): Finding => ({ check, result: 'ok', about })
const problem = (check: string, about: string): Finding => ({ check, result: 'problem', about })
const warning = (check: string, about: string): Finding => ({ check, result: 'warning', about })

/** Returns the result of `work`, or what its error says as a problem. */
function attempt<Result>(check: string, work: () => Result): Result | Finding {
  try {
    return work()
  } catch (error) {
    return problem(check, (error as Error).message)
  }
}

function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    engines: { node: string }
  }
  const found = attempt('node', () => assertNodeVersion(process.versions.node, engines.node))
  return found ?? ok('node', process.versions.node)
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, diskFreeMin } = config
  const missing = attempt('database', () => assertDatabase(databaseUrl))
  if (missing) return [missing]
  try {
    const database = await openDatabase(databaseUrl)
    try {
      const { db, kind, path } = database
      const applied = await appliedTo(db)
      const steps = Object.keys(migrations)
      const [next] = steps.filter((name) => !applied.includes(name))
      const newer = applied.filter((name) => !steps.includes(name))
      if (newer.length > 0) {
        return [problem('database', `it was used by a newer version (${newer.join(', ')})`)]
      }
      if (next !== undefined) {
        return [
          warning('database', `it is migrated at the next start, or by \`migrate\` (${next})`),
        ]
      }
      await database.ping()
      const hasSpace = watchDiskSpace({ path, freeMin: diskFreeMin, log: { warn: () => {} } })
      return [
        ok('database', kind === 'sqlite' ? `SQLite, ${path ?? ''}` : 'PostgreSQL'),
        hasSpace() ? ok('disk', 'has space') : problem('disk', 'is nearly full: no new payments'),
        await checkPeople(db),
        await checkLive(db, config),
      ]
    } finally {
      await database.close()
    }
  } catch (error) {
    return [problem('database', (error as Error).message)]
  }
}

async function checkPeople(db: Db): Promise<Finding> {
  const users = await db.selectFrom('users').select('id').where('disabled', 'is', null).execute()
  return users.length === 0
    ? warning('users', 'nobody can sign in: open the link that the server printed at its start')
    : ok('users', `${users.length} can sign in`)
}

async function checkLive(db: Db, { baseUrl, trustProxy, requireMfa }: Config): Promise<Finding> {
  const live = await db.selectFrom('instances').select('key').where('mode', '=', 'LIVE').execute()
  if (live.length === 0) return ok('live', 'no instance takes real money')
  if (!baseUrl.startsWith('https:')) return problem('live', 'BASE_URL must begin with https://')
  if (trustProxy === undefined)
    return problem('live', 'TRUST_PROXY must be set; `none` without one')
  return requireMfa === 'off'
    ? warning('live', 'REQUIRE_MFA=live would ask users for a second factor')
    : ok('live', `${live.length} with https and second factors`)
}

async function checkServer({ port, host }: Config): Promise<Finding> {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/readyz`
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(READY_MS) })
    if (status === 200) return ok('server', 'takes payments')
    return problem('server', `${url} answers ${status}: it takes no payments now`)
  } catch {
    return warning('server', `nothing answers at ${url}`)
  }
}
