import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { atEnd } from './at-end.ts'
import { createHttpClient } from './client.ts'
import { CARDS } from './cards.ts'
import { openTestDatabase } from './database.ts'
import { newLink, openPayerClient } from './payer-client.ts'
import { startProgram } from './program.ts'

const ROOT = join(import.meta.dirname, '..')

interface Lock {
  packages: Record<string, { dev?: boolean; link?: boolean }>
}

/** Installs the packed product in a folder of its own, with the packages that it names and no others. */
async function install(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-installed-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  const own = join(modules, 'checkstand')
  await mkdir(own, { recursive: true })
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1'])
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev, link }] of Object.entries(lock.packages)) {
    if (dev || link || !path.startsWith('node_modules/')) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(ROOT, path), join(folder, path))
  }
  return own
}

it('lists the packages whose code is in its builds, with their licences', async () => {
  const own = await install()
  const { components } = JSON.parse(await readFile(join(own, 'dist/sbom.cdx.json'), 'utf8')) as {
    components: { name: string; purl: string; licenses?: unknown[] }[]
  }
  const names = components.map(({ name }) => name)
  // Of the server, the page, the console and the reference.
  expect(names).toEqual(
    expect.arrayContaining(['hono', 'kysely', 'preact', 'preact-iso', '@scalar/api-reference']),
  )
  expect(names).not.toContain('vitest')
  expect(components.filter(({ licenses }) => !licenses?.length)).toEqual([])
  expect(components.every(({ purl }) => /^pkg:npm\/[^@]+@\d/.test(purl))).toBe(true)
})

it('runs from its package, with the packages of production alone', async () => {
  const program = join(await install(), 'dist/server/main.js')
  const database = await openTestDatabase()
  const run = [process.execPath, program] as const
  const server = await startProgram(database.url, {}, [...run, 'demo'])
  try {
    const merchant = createHttpClient(server.base)
    const link = await newLink(merchant, { amount: '24.00', currency: 'EUR' })
    expect(await (await openPayerClient(merchant, link.id)).payByCard(CARDS.approve)).toMatchObject(
      {
        status: 200,
      },
    )
    // By a thread for long reads, whose script is a file of its own.
    const { json } = await merchant.api('/payments?limit=1')
    expect(json.payments).toMatchObject([{ status: 'SUCCESS', amount: '24.00' }])
    for (const path of ['/sign-in', '/openapi.json', '/widget.js', `/pay/${link.id}?lang=fr`]) {
      expect((await fetch(server.base + path)).status, path).toBe(200)
    }
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      PORT: new URL(server.base).port,
    }
    const [command, ...args] = [...run, 'doctor', '--json']
    const { findings } = JSON.parse(execFileSync(command, args, { env, encoding: 'utf8' })) as {
      findings: { result: string }[]
    }
    expect(findings.filter(({ result }) => result === 'problem')).toEqual([])
  } finally {
    server.process.kill()
    await server.ended
    await database.drop()
  }
})
