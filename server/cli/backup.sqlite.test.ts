import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase, sqlitePath } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { createHttpClient } from '../../test/client.ts'
import { CARDS } from '../../test/cards.ts'
import { runCommand, runProgram } from '../../test/run-command.ts'
import { openTestDatabase } from '../../test/database.ts'
import { newLink } from '../../test/payer-client.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { startProgram } from '../../test/program.ts'

/** The commands, beside the real server. */

// A payment that is pending stays so for an hour.
const start = () => startProgram(database.url, { SANDBOX_SETTLE_MS: '3600000' })

const database = await openTestDatabase()
const path = sqlitePath(database.url)
const backup = join(dirname(path), 'backup.db')
let program = await start()
/** Waits for the first one, for five seconds, while other tests run. */
const second = startProgram(database.url)
second.catch(() => {})
afterAll(async () => {
  program.process.kill('SIGKILL')
  await program.ended
})

/** The server that runs now. */
const client = () => createHttpClient(program.base)
const linkId = async () => (await newLink(client(), { amount: '1.00' })).id as string

describe('a backup that is made while the server works', () => {
  it('contains everything that was committed before it began, and blocks no writer', async () => {
    const pending = await openPaymentsClient(client(), client()).pay(CARDS.pendingSuccess)
    expect(pending.status).toBe('PENDING')
    const answered: string[] = []
    const load = { on: true }
    const merchant = async () => {
      while (load.on) answered.push(await linkId())
    }
    const merchants = Promise.all(Array.from({ length: 4 }, merchant))
    while (answered.length < 20) await new Promise(setImmediate)
    const answeredBefore = [...answered]
    const ran = await runProgram(database.url, ['backup', backup, '--json'])
    const during = answered.length - answeredBefore.length
    load.on = false
    await merchants
    expect(ran.err).toBe('')
    expect(ran.json).toEqual({ backup, bytes: expect.any(Number) })
    expect(during).toBeGreaterThan(0)

    const copy = await openDatabase<Tables>(`file:${backup}`)
    const rows = await copy.db.selectFrom('payment_links').select('id').execute()
    const payment = await copy.db.selectFrom('payments').select(['id', 'status']).execute()
    await copy.close()
    const ids = new Set(rows.map(({ id }) => id))
    expect(answeredBefore.filter((id) => !ids.has(id))).toEqual([])
    expect(payment).toEqual([{ id: pending.id, status: 'PENDING' }])
  })

  it('replaces no file', async () => {
    const ran = await runCommand(database.url, ['backup', path])
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('exists already')])
  })
})

it('has one server at a time: a second one says so and ends, and commands work beside the first', async () => {
  await expect(second).rejects.toThrow('is served by another process already')
  expect((await runCommand(database.url, ['key', 'list', '--json'])).code).toBe(0)
  await linkId()
})

describe('a backup that is put back', () => {
  it('replaces an existing database with --replace only, and never one in use', async () => {
    const plain = await runCommand(database.url, ['restore', backup])
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('--replace renames it')])
    const restored = await runCommand(database.url, ['restore', backup, '--replace'])
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining('Stop the server')])
    const inPlace = await runCommand(database.url, ['restore', '--in-place'])
    expect([inPlace.code, inPlace.err]).toEqual([1, expect.stringContaining('Stop the server')])
    await linkId()
  })

  it('has the server ask about open payments at once, and keeps what it replaced', async () => {
    const since = await linkId()
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
    expect((await client().api(`/payment_links/${since}`)).status).toBe(404)
    await linkId()
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
