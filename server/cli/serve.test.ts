import { createServer } from 'node:net'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { runCommand } from '../testing/command.ts'
import { startProgram } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'

// Programs of their own are started and ended here.
vi.setConfig({ testTimeout: 60_000 })

const database = await openTestDatabase()
afterAll(() => database.drop())

const linkIn = ({ output }: Program) => /\S+\/sign-in\/first\/si_[\w-]+/.exec(output())?.[0]

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

it('a server without a user prints a link to make one, at every start until there is one', async () => {
  const links = new Set<string>()
  for (let start = 0; start < 2; start += 1) {
    const link = await withProgram({}, async (program) => {
      const printed = linkIn(program) ?? ''
      expect(printed.startsWith(program.base)).toBe(true)
      expect((await fetch(printed)).status).toBe(200)
      return printed
    })
    links.add(link.split('/').at(-1) ?? '')
  }
  expect(links.size).toBe(2)
  const admin = {
    CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example',
    CHECKSTAND_ADMIN_PASSWORD: 'correct horse',
  }
  await withProgram(admin, async (program) => {
    expect(linkIn(program)).toBeUndefined()
    expect(program.output()).not.toContain('correct horse')
  })
})

it('a first start that cannot listen shows the secret key all the same, and it works', async () => {
  const fresh = await openTestDatabase()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    taken.close()
    await fresh.drop()
  })
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const ran = await runCommand(fresh.url, ['serve'], { PORT: port, HOST: '127.0.0.1' })
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  const key = /: (sk_test_[\w-]+)/.exec(ran.out)?.[1] ?? ''
  const program = await startProgram(fresh.url, { CHECKSTAND_SECRET_KEY: '' })
  const answer = await fetch(`${program.base}/c/api/instances/default/accounts`, {
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  })
  program.process.kill('SIGTERM')
  await program.ended
  expect(answer.status).toBe(200)
})
