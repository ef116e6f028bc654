import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MIGRATED } from '../../test/app.ts'
import { basic } from '../../test/client.ts'
import { openTestDatabase } from '../../test/database.ts'
import { isDeep, repetitions } from '../../test/depth.ts'
import { testFolder } from '../../test/folder.ts'
import { runProgram } from '../../test/run-command.ts'
import { type Program, startProgram } from '../../test/program.ts'

const database = await openTestDatabase()

const linkIn = (text: string) => /\S+\/sign-in\/first\/si_[\w-]+/.exec(text)?.[0]

/** Runs a server until `use` is done with it, and expects that it then ends well. */
async function withProgram<T>(
  env: Record<string, string>,
  use: (program: Program) => Promise<T>,
  url = database.url,
) {
  const program = await startProgram(url, env)
  try {
    await vi.waitFor(() => expect(program.output()).toContain('Secret key'))
    return await use(program)
  } finally {
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
}

it('a server without a user writes down a link to make one, at every start until there is one', async () => {
  const links = new Set<string>()
  const starts = repetitions(1, 2)
  for (let start = 0; start < starts; start += 1) {
    const link = await withProgram({}, async (program) => {
      const printed = linkIn(program.firstStart()) ?? ''
      expect(linkIn(program.output())).toBeUndefined()
      expect(printed.startsWith(program.base)).toBe(true)
      expect((await fetch(printed)).status).toBe(200)
      return printed
    })
    links.add(link.split('/').at(-1) ?? '')
  }
  expect(links.size).toBe(starts)
  const admin = {
    CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example',
    CHECKSTAND_ADMIN_PASSWORD: 'correct horse battery',
  }
  await withProgram(admin, async (program) => {
    expect(linkIn(program.firstStart())).toBeUndefined()
    expect(program.output()).not.toContain('correct horse battery')
  })
  // A user with a password keeps it, so the preset one is not validated.
  if (isDeep) await withProgram({ ...admin, CHECKSTAND_ADMIN_PASSWORD: 'short' }, async () => {})
})

it.runIf(isDeep)('a demo shows one link at every start until it is paid or archived', async () => {
  const fresh = await openTestDatabase(MIGRATED)
  const secret = 'sk_test_7d1f0c93a5be4826f04d91c8e2b7a6f5'
  const settings = { CHECKSTAND_SECRET_KEY: secret, CHECKSTAND_DEMO: '1', LOG_LEVEL: 'warn' }
  const start = (archives: boolean) =>
    withProgram(
      settings,
      async ({ base, output }) => {
        const id = /Pay this link .*pay\/(pl_\w+)/.exec(output())?.[1] ?? ''
        const headers = { authorization: basic(`${secret}:`) }
        const link = `${base}/c/api/instances/default/payment_links/${id}`
        if (archives) await fetch(link, { method: 'DELETE', headers })
        return { id, warned: output().includes('open for long') }
      },
      fresh.url,
    )
  const [first, second, third] = [await start(false), await start(true), await start(false)]
  expect(second.id).toBe(first.id)
  expect(third.id).not.toBe(first.id)
  expect([first.warned, second.warned, third.warned]).toEqual([false, false, false])
})

it('a preset password for a new user that is too weak is refused, with the rule', async () => {
  const refused = [
    ['password1234', 'is too easy to guess'],
    ['short', 'must have at least 12 characters'],
  ] as const
  for (const [password, rule] of isDeep ? refused : refused.slice(0, 1)) {
    const ran = await runProgram(database.url, ['serve'], {
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
  const fresh = await openTestDatabase(MIGRATED)
  const folder = await testFolder()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const file = join(folder, 'first-start.txt')
  const ran = await runProgram(fresh.url, ['serve'], {
    PORT: port,
    HOST: '127.0.0.1',
    CHECKSTAND_FIRST_START_FILE: file,
  })
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  expect(ran.stdout + ran.err).not.toMatch(/sk_test_|si_/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const key = /: (sk_test_[\w-]+)/.exec(await readFile(file, 'utf8'))?.[1] ?? ''
  await withProgram(
    { CHECKSTAND_SECRET_KEY: '' },
    async ({ base }) => {
      const headers = { authorization: basic(`${key}:`) }
      const response = await fetch(`${base}/c/api/instances/default/accounts`, { headers })
      expect(response.status).toBe(200)
    },
    fresh.url,
  )
})

it('refuses to start with a live instance behind https without TRUST_PROXY', async () => {
  const fresh = await openTestDatabase(MIGRATED)
  const settings = {
    CHECKSTAND_SECRET_KEY: 'sk_live_4f9c21d07ab83e65c1f2970d8be4a3f6',
    BASE_URL: 'https://pay.shop.example',
  }
  const refused = await runProgram(fresh.url, ['serve'], { ...settings, PORT: '0' })
  expect(refused.code).toBe(1)
  for (const word of ['TRUST_PROXY=1', 'nginx', 'Caddy', 'balancer', 'TRUST_PROXY=none']) {
    expect(refused.err).toContain(word)
  }
  for (const TRUST_PROXY of isDeep ? ['1', 'none', '10.0.0.0/8'] : ['1']) {
    await withProgram({ ...settings, TRUST_PROXY }, async () => {}, fresh.url)
  }
})
