import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { freePort, until } from '../../../test/program.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const CREATE = join(import.meta.dirname, '../create.js')

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'create-checkstand-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const create = (cwd: string, ...args: string[]) => run(process.execPath, [CREATE, ...args], { cwd })

it('sets up a folder that runs, with secrets of its own', async () => {
  const folder = await emptyFolder()
  const { stdout } = await create(folder, 'my-shop', '--yes')
  expect(stdout).toContain('npm start')
  const shop = join(folder, 'my-shop')
  expect((await stat(join(shop, '.env'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(shop, '.gitignore'), 'utf8')).toContain('.env')
  const about = JSON.parse(await readFile(join(shop, 'package.json'), 'utf8'))
  expect(about).toMatchObject({ name: 'my-shop', dependencies: { checkstand: '^0.1.0' } })

  // What an installation puts there.
  await mkdir(join(shop, 'node_modules'))
  await symlink(ROOT, join(shop, 'node_modules/checkstand'))
  const port = await freePort()
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port) }
  const server = spawn('npm', ['start'], { cwd: shop, stdio: 'ignore', env, detached: true })
  try {
    await until('it to take payments', () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    expect((await stat(join(shop, 'checkstand-data/first-start.txt'))).size).toBeGreaterThan(0)
  } finally {
    process.kill(-(server.pid ?? 0), 'SIGTERM')
  }
})

it('adds a shop, and leaves out what it is not asked for', async () => {
  const folder = await emptyFolder()
  await run('npm', ['run', 'prepack'], { cwd: join(CREATE, '..') })
  await create(folder, 'Big Shop!', '--database', 'postgres', '--shop', 'hono')
  const shop = join(folder, 'Big Shop!')
  expect(await readFile(join(shop, 'shop.mjs'), 'utf8')).toContain('checkstand-client')
  expect(await readFile(join(shop, '.env'), 'utf8')).toMatch(/^DATABASE_URL=postgres:/m)
  const about = JSON.parse(await readFile(join(shop, 'package.json'), 'utf8'))
  expect(about.name).toBe('big-shop-')
  expect(Object.keys(about.dependencies)).toContain('checkstand-client')
})

it('touches no folder that has files, and refuses what it does not know', async () => {
  const folder = await emptyFolder()
  await mkdir(join(folder, 'full'))
  await writeFile(join(folder, 'full/file'), 'mine')
  await expect(create(folder, 'full', '--yes')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has files already'),
  })
  await expect(create(folder, 'x', '--yes', '--database', 'mysql')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sqlite or postgres'),
  })
})
