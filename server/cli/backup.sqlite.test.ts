import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, sqlitePath } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { basic } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { runCommand } from '../../test/run-command.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import type { Json } from '../../test/payments-client.ts'
import { type Program, PROGRAM_KEY, startProgram } from '../../test/program.ts'

/** The real commands, beside the real server, as an operator would run them. */

let database: TestDatabase
let program: Program
let path: string
let backup: string

beforeAll(async () => {
  database = await openTestDatabase()
  path = sqlitePath(database.url)
  backup = join(dirname(path), 'backup.db')
  program = await start()
})
afterAll(async () => {
  program.process.kill('SIGKILL')
  await program.ended
  await database.drop()
})

// A payment that is pending stays so for an hour.
const start = () => startProgram(database.url, { SANDBOX_SETTLE_MS: '3600000' })

async function call(url: string, body?: unknown): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${program.base}${url}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: basic(`${PROGRAM_KEY}:`) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

const API = '/c/api/instances/default'

async function newLink(): Promise<string> {
  const { status, json } = await call(`${API}/payment_links`, {
    payment_link: { options: { amount: '1.00' } },
  })
  expect(status, JSON.stringify(json)).toBe(200)
  return json.payment_link.id as string
}

async function takePending(): Promise<string> {
  const card = { number: CARDS.pendingSuccess, exp_month: 12, exp_year: 2034, csc: '123' }
  const { token } = (await call('/sandbox/tokens', { card })).json
  const payment = { amount: '10.00', currency: 'EUR', payment_method: { token } }
  const { json } = await call(`${API}/payments`, { payment })
  expect(json.payment.status).toBe('PENDING')
  return json.payment.id as string
}

describe('a backup that is made while the server works', () => {
  it('contains everything that was committed before it began, and blocks no writer', async () => {
    const pending = await takePending()
    const answered: string[] = []
    const load = { on: true }
    const client = async () => {
      while (load.on) answered.push(await newLink())
    }
    const clients = Promise.all(Array.from({ length: 4 }, client))
    while (answered.length < 20) await new Promise(setImmediate)
    const answeredBefore = [...answered]
    const ran = await runCommand(database.url, ['backup', backup, '--json'])
    const during = answered.length - answeredBefore.length
    load.on = false
    await clients
    expect(ran.err).toBe('')
    expect(ran.json).toEqual({ backup, bytes: expect.any(Number) })
    expect(during).toBeGreaterThan(0)

    const copy = await openDatabase<Tables>(`file:${backup}`)
    const rows = await copy.db.selectFrom('payment_links').select('id').execute()
    const payment = await copy.db.selectFrom('payments').select(['id', 'status']).execute()
    await copy.close()
    const ids = new Set(rows.map(({ id }) => id))
    expect(answeredBefore.filter((id) => !ids.has(id))).toEqual([])
    expect(payment).toEqual([{ id: pending, status: 'PENDING' }])
  })

  it('replaces no file', async () => {
    const ran = await runCommand(database.url, ['backup', path])
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('exists already')])
  })
})

it('has one server at a time: a second one says so and ends, and commands work beside the first', async () => {
  const second = startProgram(database.url)
  await expect(second).rejects.toThrow('is served by another process already')
  expect((await runCommand(database.url, ['key', 'list', '--json'])).code).toBe(0)
  await newLink()
})

describe('a backup that is put back', () => {
  it('replaces an existing database with --replace only, and never one in use', async () => {
    const plain = await runCommand(database.url, ['restore', backup])
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('--replace renames it')])
    const restored = await runCommand(database.url, ['restore', backup, '--replace'])
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining('Stop the server')])
    const inPlace = await runCommand(database.url, ['restore', '--in-place'])
    expect([inPlace.code, inPlace.err]).toEqual([1, expect.stringContaining('Stop the server')])
    await newLink()
  })

  it('has the server ask about open payments at once, and keeps what it replaced', async () => {
    const since = await newLink()
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    const before = Date.now()
    const ran = await runCommand(database.url, ['restore', backup, '--replace', '--json'])
    expect(ran.err).toBe('')
    expect(ran.json).toMatchObject({ restored: path, from: backup, to_reconcile: 1, on_hold: [] })
    expect(dirname(ran.json.kept)).toBe(dirname(path))

    const opened = await openDatabase<Tables>(database.url)
    const [attempt] = await opened.db.selectFrom('attempts').select('next_check').execute()
    await opened.close()
    expect(Date.parse(attempt?.next_check ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(attempt?.next_check ?? '')).toBeLessThanOrEqual(Date.now())

    program = await start()
    expect((await call(`${API}/payment_links/${since}`)).status).toBe(404)
    await newLink()
    const kept = await openDatabase<Tables>(`file:${ran.json.kept}`)
    const found = kept.db.selectFrom('payment_links').select('id').where('id', '=', since)
    expect(await found.execute()).toEqual([{ id: since }])
    await kept.close()
    const left = (await readdir(dirname(path))).filter((name) => /restoring|part$/.test(name))
    expect(left).toEqual([])
  })

  it('is refused when it is no database', async () => {
    const elsewhere = `file:${join(dirname(path), 'elsewhere.db')}`
    const notes = join(dirname(path), 'notes.txt')
    await writeFile(notes, 'milk, eggs and much more of the same\n'.repeat(100))
    const ran = await runCommand(elsewhere, ['restore', notes])
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('notes.txt is damaged')])
    expect(existsSync(sqlitePath(elsewhere))).toBe(false)
  })
})
