import { readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { testFolder } from '../../test/folder.ts'
import { runCommand } from '../../test/run-command.ts'
import { type Program, startProgram } from '../../test/program.ts'

// Programs of their own are started and ended here.
vi.setConfig({ testTimeout: 60_000 })

const database = await openTestDatabase()
afterAll(() => database.drop())

const linkIn = (text: string) => /\S+\/sign-in\/first\/si_[\w-]+/.exec(text)?.[0]

async function withProgram<T>(env: Record<string, string>, use: (program: Program) => Promise<T>) {
  const program = await startProgram(database.url, env)
  try {
    await vi.waitFor(() => expect(program.output()).toContain('Secret key'))
    return await use(program)
  } finally {
    program.process.kill('SIGTERM')
    await program.ended
  }
}

it('a server without a user writes down a link to make one, at every start until there is one', async () => {
  const links = new Set<string>()
  for (let start = 0; start < 2; start += 1) {
    const link = await withProgram({}, async (program) => {
      const printed = linkIn(program.firstStart()) ?? ''
      expect(linkIn(program.output())).toBeUndefined()
      expect(printed.startsWith(program.base)).toBe(true)
      expect((await fetch(printed)).status).toBe(200)
      return printed
    })
    links.add(link.split('/').at(-1) ?? '')
  }
  expect(links.size).toBe(2)
  const admin = {
    CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example',
    CHECKSTAND_ADMIN_PASSWORD: 'correct horse battery',
  }
  await withProgram(admin, async (program) => {
    expect(linkIn(program.firstStart())).toBeUndefined()
    expect(program.output()).not.toContain('correct horse battery')
  })
  // A user with a password keeps it, so the preset one is not validated.
  await withProgram({ ...admin, CHECKSTAND_ADMIN_PASSWORD: 'short' }, async () => {})
})

it('a demo shows one link at every start until it is paid or archived', async () => {
  const fresh = await openTestDatabase()
  onTestFinished(() => fresh.drop())
  const secret = 'sk_test_7d1f0c93a5be4826f04d91c8e2b7a6f5'
  const settings = { CHECKSTAND_SECRET_KEY: secret, CHECKSTAND_DEMO: '1', LOG_LEVEL: 'warn' }
  const authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`
  const start = async (archives: boolean) => {
    const program = await startProgram(fresh.url, settings)
    await vi.waitFor(() => expect(program.output()).toContain('Pay this link'))
    const id = /pay\/(pl_\w+)/.exec(program.output())?.[1] ?? ''
    if (archives) {
      const path = `/c/api/instances/default/payment_links/${id}`
      await fetch(program.base + path, { method: 'DELETE', headers: { authorization } })
    }
    program.process.kill('SIGTERM')
    await program.ended
    return { id, warned: program.output().includes('open for long') }
  }
  const [first, second, third] = [await start(false), await start(true), await start(false)]
  expect(second.id).toBe(first.id)
  expect(third.id).not.toBe(first.id)
  expect([first.warned, second.warned, third.warned]).toEqual([false, false, false])
})

it('a preset password for a new user that is too weak is refused, with the rule', async () => {
  for (const [password, rule] of [
    ['short', 'must have at least 12 characters'],
    ['password1234', 'is too easy to guess'],
  ] as const) {
    const ran = await runCommand(database.url, ['serve'], {
      PORT: '0',
      BASE_URL: 'http://127.0.0.1:1',
      CHECKSTAND_ADMIN_EMAIL: 'new@shop.example',
      CHECKSTAND_ADMIN_PASSWORD: password,
    })
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('CHECKSTAND_ADMIN_PASSWORD')])
    expect(ran.err).toContain(rule)
    expect(ran.err + ran.stdout).not.toContain(`${password}\n`)
  }
})

it('a first start that cannot listen has written down the secret key, and it works', async () => {
  const fresh = await openTestDatabase()
  const folder = await testFolder()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    taken.close()
    await rm(folder, { recursive: true, force: true })
    await fresh.drop()
  })
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const file = join(folder, 'first-start.txt')
  const ran = await runCommand(fresh.url, ['serve'], {
    PORT: port,
    HOST: '127.0.0.1',
    CHECKSTAND_FIRST_START_FILE: file,
  })
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  expect(ran.stdout + ran.err).not.toMatch(/sk_test_|si_/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const key = /: (sk_test_[\w-]+)/.exec(await readFile(file, 'utf8'))?.[1] ?? ''
  const program = await startProgram(fresh.url, { CHECKSTAND_SECRET_KEY: '' })
  const response = await fetch(`${program.base}/c/api/instances/default/accounts`, {
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  })
  program.process.kill('SIGTERM')
  await program.ended
  expect(response.status).toBe(200)
})

it('refuses to start with a live instance behind https without TRUST_PROXY', async () => {
  const fresh = await openTestDatabase()
  onTestFinished(() => fresh.drop())
  const settings = {
    CHECKSTAND_SECRET_KEY: 'sk_live_4f9c21d07ab83e65c1f2970d8be4a3f6',
    BASE_URL: 'https://pay.shop.example',
  }
  const refused = await runCommand(fresh.url, ['serve'], { ...settings, PORT: '0' })
  expect(refused.code).toBe(1)
  for (const word of ['TRUST_PROXY=1', 'nginx', 'Caddy', 'balancer', 'TRUST_PROXY=none']) {
    expect(refused.err).toContain(word)
  }
  for (const TRUST_PROXY of ['1', 'none', '10.0.0.0/8']) {
    const program = await startProgram(fresh.url, { ...settings, TRUST_PROXY })
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
})
