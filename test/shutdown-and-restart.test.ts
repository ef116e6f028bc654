import { request } from 'node:http'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CARDS } from './cards.ts'
import { basic, createHttpClient } from './client.ts'
import { openTestDatabase } from './database.ts'
import { newLink, openPayerClient } from './payer-client.ts'
import { type Program, PROGRAM_KEY, startProgram } from './program.ts'

/** The program, stopped and started again. `failpoints.test.ts` kills it in the middle of work. */

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

const API = '/c/api/instances/default/payment_links'

describe('a server that is stopped', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s completes the current request and exits with 0',
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
        // The server has accepted the request before the signal.
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

describe('a restarted server', () => {
  it('keeps the strings of an open session', async () => {
    const databaseUrl = await freshDatabase()
    const first = await run(databaseUrl)
    const client = createHttpClient(first.base)
    const link = await newLink(client)
    const opened = await openPayerClient(client, link.id)
    const strings = [{ id: 'methods.title', text: 'Changed since' }]
    await client.api('/strings', { body: { strings } })
    first.process.kill('SIGKILL')
    await first.ended

    const second = await run(databaseUrl)
    const { call } = createHttpClient(second.base)
    const headers = { authorization: `Bearer ${opened.token}` }
    const current = await call('/pay/checkouts/current', { headers })
    expect(current.json.checkout.strings).toEqual(opened.checkout.strings)
    const reopened = await openPayerClient({ call }, link.id)
    expect(reopened.checkout.strings['methods.title']).toBe('Changed since')
  }, 60_000)
})

describe('what a running server writes to disk', () => {
  it('holds no card number and no security code, in the database files or the log', async () => {
    const databaseUrl = await freshDatabase()
    const program = await run(databaseUrl, { LOG_LEVEL: 'trace' })
    const client = createHttpClient(program.base)
    for (const card of [CARDS.approve, CARDS.decline, CARDS.noAnswerTaken, CARDS.challenge]) {
      const link = await newLink(client)
      await (await openPayerClient(client, link.id)).payByCard(card)
    }
    let written = program.output()
    // On PostgreSQL another test searches the tables.
    if (databaseUrl.startsWith('file:')) {
      const folder = dirname(databaseUrl.slice('file:'.length))
      const files = await readdir(folder)
      expect(files.some((name) => name.endsWith('-wal'))).toBe(true)
      for (const name of files) written += await readFile(join(folder, name), 'latin1')
    }
    for (const number of Object.values(CARDS)) expect(written).not.toContain(number)
    expect(written).not.toMatch(/\bcsc\b.{0,5}123/)
  }, 60_000)
})
