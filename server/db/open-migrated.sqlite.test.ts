import { existsSync, statSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { BASE } from '../../test/app.ts'
import { runCommand, runProgram } from '../../test/run-command.ts'
import { testFolder } from '../../test/folder.ts'
import { appliedTo, migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import { openMigrated } from './open-migrated.ts'
import { acquireServerLock } from './sqlite-file.ts'

let folder: string
let path: string
let url: string

beforeEach(async () => {
  folder = await testFolder()
  path = join(folder, 'shop.db')
  url = `file:${path}`
})

const older = Object.fromEntries(Object.entries(migrations).slice(0, -1))

async function makeOlder(): Promise<void> {
  const { db, close } = await openDatabase(url)
  await migrate(db, older)
  await close()
}

async function schema(): Promise<string[]> {
  const { db, close } = await openDatabase(url)
  try {
    return await appliedTo(db)
  } finally {
    await close()
  }
}

const create = (serves: boolean, at = url) =>
  createCheckstand({
    config: readConfig({ DATABASE_URL: at, PORT: '0', BASE_URL: BASE }),
    log: createLog('silent'),
    serves,
    busyMs: 100,
  })

/** A server that waits for another one, while the other tests run. */
const waiting = await startWaiting()

async function startWaiting() {
  const served = `file:${join(await testFolder(), 'shop.db')}`
  const first = await create(true, served)
  const begun = performance.now()
  const ran = runProgram(served, ['serve'])
  return { first, ended: ran.then((result) => ({ ...result, ms: performance.now() - begun })) }
}

describe('the schema under a running server', () => {
  it('is not migrated by a newer server or command; both explain what to do', async () => {
    await makeOlder()
    onTestFinished(acquireServerLock(path))
    await expect(create(true)).rejects.toThrow('is served by another process already. More than')
    await expect(openMigrated(url)).rejects.toThrow(
      'which this one would migrate. Stop that server',
    )
    expect(await schema()).toEqual(Object.keys(older))
    expect(existsSync(`${path}.before-${Object.keys(migrations).at(-1)?.slice(0, 4)}`)).toBe(false)
  })

  it('is unchanged by a command of the same version, which works', async () => {
    await makeOlder()
    const server = await create(true)
    onTestFinished(() => server.close())
    expect(await schema()).toEqual(Object.keys(migrations))
    const ran = await runProgram(url, ['user', 'list'])
    expect(ran).toMatchObject({ code: 0, stdout: 'users: none\n' })
  })
})

it.each([
  ['that exists', true],
  ['that is made by the first start', false],
])('one file %s has one server, also under another path', async (_, exists) => {
  const link = join(folder, 'link.db')
  if (exists) await makeOlder()
  await symlink(exists ? path : 'shop.db', link)
  const first = await createCheckstand({
    config: readConfig({ DATABASE_URL: `file:${link}` }),
    log: createLog('silent'),
    serves: true,
  })
  onTestFinished(() => first.close())
  expect(first.database.path).toBe(path)
  await expect(create(true)).rejects.toThrow('is served by another process already')
})

it('other users of the machine can read no file that the program creates', async () => {
  await makeOlder()
  const server = await create(true)
  onTestFinished(() => server.close())
  const backup = join(folder, 'backup.db')
  expect((await runCommand(url, ['backup', backup])).code).toBe(0)
  expect((await runCommand(`file:${folder}/again.db`, ['restore', backup])).code).toBe(0)
  const modes = (await readdir(folder)).map((name) => {
    return [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]
  })
  expect(modes.length).toBeGreaterThan(5)
  expect(modes).toEqual(modes.map(([name]) => [name, '600']))
})

it('a command releases the file after a migration', async () => {
  await makeOlder()
  const { database, applied, releaseServerLock: held } = await openMigrated(url)
  expect([applied.length, held]).toEqual([1, undefined])
  const server = await create(false)
  expect(await server.start()).toBeGreaterThan(0)
  await expect(create(true)).rejects.toThrow('is served by another process already')
  await server.close()
  await database.close()
  await (await create(true)).close()
  acquireServerLock(path)()
})

it('a server waits for five seconds and writes nothing to a database that another one serves', async () => {
  const { first, ended } = waiting
  onTestFinished(() => first.close())
  const ran = await ended
  expect(ran.ms).toBeGreaterThan(5000)
  expect([ran.code, ran.stdout]).toEqual([1, ''])
  expect(ran.err).toContain('is served by another process already')
  const merchants = first.deps.db.selectFrom('merchants').selectAll()
  expect(await merchants.execute()).toEqual([])
})
