import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEmbeddedPostgres } from '../../test/postgres.ts'
import { locateEmbeddedPostgres } from '../../test/embedded-postgres.ts'
import { freePort, until } from '../../test/program.ts'

/** Where a crash run keeps the product's records. */

export interface CrashDatabase {
  url: string
  kind: 'sqlite' | 'postgres'
  /** Ends the database's own processes as `pg_ctl stop -m immediate` does, and starts them again. */
  stopHard: (() => Promise<void>) | undefined
  startAgain: () => Promise<void>
  close: () => Promise<void>
}

export async function openCrashDatabase(
  kind: CrashDatabase['kind'],
  folder: string,
): Promise<CrashDatabase> {
  if (kind === 'postgres') return startPostgres()
  return {
    url: `file:${folder}/checkstand.db`,
    kind,
    stopHard: undefined,
    startAgain: async () => {},
    close: async () => {},
  }
}

const PASSWORD = 'postgres'

/**
 * A server whose commits are in the log's file before they are answered. Nothing here survives a
 * power cut, so the disk itself need not be waited for: what ends is processes.
 */
const FLAGS = [
  'fsync=off',
  'synchronous_commit=on',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=64MB',
].flatMap((setting) => ['-c', setting])

async function startPostgres(): Promise<CrashDatabase> {
  const program = await locateEmbeddedPostgres()
  const EmbeddedPostgres = await loadEmbeddedPostgres(program.url)
  const databaseDir = await mkdtemp(join(tmpdir(), 'checkstand-crash-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: PASSWORD,
    createPostgresUser: process.getuid?.() === 0,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: FLAGS,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const pid = async () =>
    Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    kind: 'postgres',
    async stopHard() {
      const postmaster = await pid()
      // As `pg_ctl stop -m immediate`: every backend exits at once, without cleaning up.
      process.kill(postmaster, 'SIGQUIT')
      await until('the database to end', async () => !isAlive(postmaster))
    },
    startAgain: () => server.start(),
    async close() {
      // One that has ended already would be waited for without end.
      if (isAlive(await pid())) await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
      await program.remove()
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
