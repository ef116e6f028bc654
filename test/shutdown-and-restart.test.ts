import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { basic } from './app.ts'
import { openTestDatabase } from './database.ts'
import { CARDS } from './payer-client.ts'
import { type Program, PROGRAM_KEY, startProgram } from './program.ts'

/**
 * The real program, ended and started again. What holds when it is killed in the middle of something
 * stands in `failpoints.test.ts`.
 */

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function freshDatabase(): Promise<string> {
  const database = await openTestDatabase()
  cleanups.push(() => database.drop())
  return database.url
}

async function run(databaseUrl: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(databaseUrl, { PROCESSOR_TIMEOUT_MS: '500', ...env })
  cleanups.push(() => {
    program.process.kill('SIGKILL')
    return program.ended
  })
  return program
}

async function post(url: string, body: unknown, authorization?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify(body),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads answers freely
  return (await response.json()) as any
}

const API = '/c/api/instances/default/payment_links'

async function startPaying(program: Program, card: string) {
  const { payment_link } = await post(
    `${program.base}${API}`,
    { payment_link: { options: { amount: '12.50' } } },
    basic(`${PROGRAM_KEY}:`),
  )
  const opened = await post(`${program.base}/pay/${payment_link.id}/checkouts`, {})
  const { token } = await post(`${program.base}/sandbox/tokens`, {
    card: { number: card, exp_month: 12, exp_year: 2034, csc: '987' },
  })
  const body = {
    attempt_key: randomUUID(),
    options_v: 1,
    payment_method: { type: 'CARD', token },
  }
  const submit = (base: string) =>
    post(`${base}/pay/checkouts/current/submit`, body, `Bearer ${opened.token}`)
  return { id: payment_link.id as string, submit }
}

describe('a server that is asked to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s answers the request that has begun, and exits with 0',
    async (signal) => {
      const program = await run(await freshDatabase())
      const payload = JSON.stringify({ payment_link: { options: { amount: '1.00' } } })
      const status = await new Promise((resolve, reject) => {
        const sending = request(`${program.base}${API}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': payload.length,
            authorization: basic(`${PROGRAM_KEY}:`),
            expect: '100-continue',
          },
        })
        // The server has the request in hand when it says so; only then is it asked to end.
        sending.on('continue', () => {
          program.process.kill(signal)
          setTimeout(() => sending.end(payload), 200)
        })
        sending.on('response', (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sending.on('error', reject)
        sending.flushHeaders()
      })
      expect(status).toBe(200)
      expect(await program.ended).toBe(0)
    },
    60_000,
  )
})

describe('a server that is started again', () => {
  it('gives an open session the words that it was opened with', async () => {
    const databaseUrl = await freshDatabase()
    const first = await run(databaseUrl)
    const key = basic(`${PROGRAM_KEY}:`)
    const { payment_link } = await post(`${first.base}${API}`, { payment_link: {} }, key)
    const opened = await post(`${first.base}/pay/${payment_link.id}/checkouts`, {})
    const strings = `${first.base}/c/api/instances/default/strings`
    await post(strings, { strings: [{ id: 'methods.title', text: 'Changed since' }] }, key)
    first.process.kill('SIGKILL')
    await first.ended

    const second = await run(databaseUrl)
    const current = await fetch(`${second.base}/pay/checkouts/current`, {
      headers: { authorization: `Bearer ${opened.token}` },
    })
    const { checkout } = (await current.json()) as { checkout: { strings: object } }
    expect(checkout.strings).toEqual(opened.checkout.strings)
    const anew = await post(`${second.base}/pay/${payment_link.id}/checkouts`, {})
    expect(anew.checkout.strings['methods.title']).toBe('Changed since')
  }, 60_000)
})

describe('what a running server writes to disk', () => {
  it('holds no card number and no security code, in the database files or the log', async () => {
    const databaseUrl = await freshDatabase()
    const program = await run(databaseUrl, { LOG_LEVEL: 'trace' })
    for (const card of [CARDS.approve, CARDS.decline, CARDS.noAnswerTaken, CARDS.challenge]) {
      await (await startPaying(program, card)).submit(program.base)
    }
    let written = program.output()
    // On PostgreSQL the tables themselves are searched, by the test of the payer's way.
    if (databaseUrl.startsWith('file:')) {
      const folder = dirname(databaseUrl.slice('file:'.length))
      const files = await readdir(folder)
      expect(files.some((name) => name.endsWith('-wal'))).toBe(true)
      for (const name of files) written += await readFile(join(folder, name), 'latin1')
    }
    for (const number of Object.values(CARDS)) expect(written).not.toContain(number)
    expect(written).not.toMatch(/\bcsc\b.{0,5}987/)
  }, 60_000)
})
