import { randomUUID } from 'node:crypto'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type OpenedDatabase } from '../server/db/open.ts'
import { isDeep } from './depth.ts'
import { MIGRATED } from './app.ts'
import { CARDS } from './cards.ts'
import { startReceiver } from './webhook-receiver.ts'
import { basic, type Client, createHttpClient, type MerchantClient } from './client.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import type { Json } from './payments-client.ts'
import { cardToken, newLink as createLink, openPayerClient } from './payer-client.ts'
import { type Program, startProgram, until } from './program.ts'

/**
 * Two server processes on one PostgreSQL database, behind a round-robin proxy. Which of them serves a
 * request must make no difference to the client.
 */

interface Tables {
  sandbox_charges: { amount: number }
  attempts: { state: string; payment_id: string }
  payments: { amount: number; due: string | null }
  payment_links: { id: string; options: string }
  charges: { amount: number; due: string | null; next_attempt: string | null }
  events: { id: string; type: string }
}

/** Requests a minute of one address; each test has one of its own. */
const PAYER_RATE = 120

let database: TestDatabase
let opened: OpenedDatabase<Tables>
let programs: Program[]
let proxy: { base: string; served: number[]; close: () => void }
let visitor = 0

beforeAll(async () => {
  database = await openTestDatabase(MIGRATED)
  opened = await openDatabase<Tables>(database.url)
  proxy = await startProxy(() => programs.map(({ base }) => base))
  programs = await Promise.all([start(), start()])
})
afterAll(async () => {
  for (const program of programs) program.process.kill('SIGKILL')
  await Promise.all(programs.map(({ ended }) => ended))
  proxy.close()
  await opened.close()
  await database.drop()
})
beforeEach(() => {
  visitor += 1
})

const start = () =>
  startProgram(database.url, {
    BASE_URL: proxy.base,
    TRUST_PROXY: '1',
    PROCESSOR_TIMEOUT_MS: '1000',
    SANDBOX_SETTLE_MS: '200',
    PAYER_RATE: String(PAYER_RATE),
  })

/** A proxy that takes turns, request by request. */
async function startProxy(targets: () => string[]): Promise<typeof proxy> {
  const served: number[] = []
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    turn += 1
    const at = turn % targets().length
    served[at] = (served[at] ?? 0) + 1
    const { method, headers, url = '' } = incoming
    const forward = sendRequest(new URL(url, targets()[at]), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => outgoing.destroy())
    incoming.pipe(forward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    close: () => server.close().closeAllConnections(),
  }
}

/** A client of the proxy. Each test has an address of its own, so that it meets no other's limits. */
const client = (): Client & MerchantClient =>
  createHttpClient(proxy.base, { 'x-forwarded-for': `203.0.${visitor}.7` })
const { call, api } = {
  call: (path: string, body?: unknown, headers?: Record<string, string>) =>
    client().call(path, { body, ...(headers && { headers }) }),
  api: (path: string, body?: unknown, headers?: Record<string, string>) =>
    client().api(path, { body, ...(headers && { headers }) }),
}

const newLinkRequest = ({ api: request }: MerchantClient, amount: string) =>
  request('/payment_links', { body: { payment_link: { options: { amount } } } })
const newLink = async (amount: string): Promise<string> =>
  (await createLink(client(), { amount })).id
const tokenOf = (number: string) => cardToken(client(), number)

async function openPayer(link: string) {
  const payer = await openPayerClient(client(), link)
  return {
    current: payer.current,
    submit: async (card: string, attempt_key: string = randomUUID(), token?: string) =>
      payer.submit({
        attempt_key,
        payment_method: { type: 'CARD', token: token ?? (await tokenOf(card)) },
      }),
  }
}

/** How often the processor took that amount, which stands for one test alone; minor units. */
async function charged(amount: number): Promise<number> {
  const rows = await opened.db
    .selectFrom('sandbox_charges')
    .select('amount')
    .where('amount', '=', amount)
    .execute()
  return rows.length
}

const times = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

describe('a payer', () => {
  it('continues at either process with the session that one of them opened', async () => {
    const before = [...proxy.served]
    const payer = await openPayer(await newLink('11.01'))
    for (const turn of [1, 2])
      expect((await payer.current()).json.checkout.status, `${turn}`).toBe('OPEN')
    expect((await payer.submit(CARDS.approve)).json.outcome).toBe('COMPLETED')
    for (const turn of [1, 2]) {
      expect((await payer.current()).json.checkout.status, `${turn}`).toBe('COMPLETED')
    }
    for (const at of [0, 1]) expect(proxy.served[at]).toBeGreaterThan(before[at] ?? 0)
  })

  it('is the only one who pays a link, of twelve who press the button at once', async () => {
    const link = await newLink('11.02')
    const payers = await times(12, () => openPayer(link))
    const tokens = await times(12, () => tokenOf(CARDS.approve))
    const answers = await times(12, (n) => payers[n]!.submit('', randomUUID(), tokens[n]))
    const outcomes = answers.map(({ json }) => json.outcome as string)
    expect(outcomes.filter((outcome) => outcome === 'COMPLETED')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(
      new Set(['COMPLETED', ...outcomes.filter((o) => /BUSY|GONE/.test(o))]),
    )
    expect(await charged(1102)).toBe(1)
  })

  it('who sends the same attempt to both gets one answer and pays once', async () => {
    const payer = await openPayer(await newLink('11.03'))
    const token = await tokenOf(CARDS.approve)
    const key = randomUUID()
    await times(6, () => payer.submit('', key, token))
    const last = await payer.submit('', key, token)
    expect(last.json.outcome).toBe('COMPLETED')
    expect(await charged(1103)).toBe(1)
  })

  it('who tries cards is slowed down by what both have counted', async () => {
    const link = await newLink('11.04')
    const statuses: number[] = []
    for (let turn = 0; turn < 8; turn += 1) {
      const payer = await openPayer(link)
      const response = await payer.submit(CARDS.decline)
      statuses.push(response.status)
      if (response.status === 429)
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('an address', () => {
  it.runIf(isDeep)('gets from both together what one minute allows', async () => {
    const began = performance.now()
    let passed = 0
    await until('both to refuse', async () => {
      const statuses = await times(20, async () => (await call('/pay/pl_nobody')).status)
      passed += statuses.filter((status) => status !== 429).length
      return statuses.every((status) => status === 429)
    })
    expect(passed).toBeGreaterThanOrEqual(PAYER_RATE)
    // Not twice as much: what one gave before it heard of the other, and what has come back since.
    const minutes = (performance.now() - began) / 60_000
    expect(passed).toBeLessThan((1.7 + minutes) * PAYER_RATE)
  })
})

describe('a merchant', () => {
  it('who repeats a request at the other process has it done once', async () => {
    const payment = {
      amount: '12.01',
      currency: 'EUR',
      payment_method: { token: await tokenOf(CARDS.approve) },
    }
    const key = { 'idempotency-key': randomUUID() }
    const answers = await times(6, () => api('/payments', { payment }, key))
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, ...answers.map(({ status }) => status).filter((status) => status === 409)]),
    )
    const again = await api('/payments', { payment }, key)
    expect(again.json.payment.status).toBe('SUCCESS')
    expect(await charged(1201)).toBe(1)
  })

  it('has its wording written by one request after another, whichever process they come to', async () => {
    // Four sets, which one request writes one after another without another request in between.
    const set = ['status.busy', 'methods.title', 'errors.declined', 'receipt.title']
    for (const round of [1, 2, 3]) {
      const answers = await times(8, (n) => {
        const ids = n % 4 < 2 ? set : set.toReversed()
        return api('/strings', { strings: ids.map((id) => ({ id, text: `word ${round}-${n}` })) })
      })
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const read = await times(set.length, (n) => api(`/strings/${set[n]}`))
      expect(new Set(read.map(({ json }) => json.string.text as string)).size).toBe(1)
      expect(read[0]?.json.string.text).toContain(`word ${round}-`)
    }
  })

  it('is locked out of both after guesses at both', async () => {
    const wrong = { authorization: basic('sk_test_wrong:') }
    const statuses: number[] = []
    for (let turn = 0; turn < 24; turn += 1) {
      statuses.push((await call('/c/api/instances/default/accounts', undefined, wrong)).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
    expect(statuses.slice(-2)).toEqual([429, 429])
  })
})

describe('what the server does by itself', () => {
  it('is done by one of the two: a payment without a response is settled and reported once', async () => {
    const before = await events('payment.success')
    const payments = await times(4, async (n) => {
      const token = await tokenOf(CARDS.noAnswerTaken)
      const { json } = await api('/payments', {
        payment: { amount: `13.1${n}`, currency: 'EUR', payment_method: { token } },
      })
      return json.payment.id as string
    })
    await until('them to be settled', async () => {
      const read = await times(4, (n) => api(`/payments/${payments[n]}`))
      return read.every(({ json }) => json.payment.status === 'SUCCESS')
    })
    expect((await events('payment.success')) - before).toBe(4)
    for (const n of [0, 1, 2, 3]) expect(await charged(1310 + n)).toBe(1)
  })

  it('is done by one of the two: every charge that is due is collected once', async () => {
    const { json: made } = await api('/accounts', { account: { crm_key: randomUUID() } })
    const account = made.account.id
    const stored = await api('/payments', {
      payment: {
        amount: '1.00',
        currency: 'EUR',
        account,
        payment_method: { token: await tokenOf(CARDS.approve), save: true },
      },
    })
    const payment_method = stored.json.payment.payment_method
    const due = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await times(24, async () => {
      const payment = { amount: '14.01', currency: 'EUR', account, payment_method, due }
      return (await api('/payments', { payment })).json.payment.status as string
    })
    expect(new Set(scheduled)).toEqual(new Set(['SCHEDULED']))
    await bringForward(1401)
    await until('all to be collected', async () => (await charged(1401)) >= 24)
    await until('all to be settled', async () => {
      const open = await opened.db
        .selectFrom('attempts')
        .select('state')
        .where('state', '<>', 'DONE')
        .execute()
      return open.length === 0
    })
    expect(await charged(1401)).toBe(24)
  })

  it('is done by one of the two: every event is sent once to each webhook', async () => {
    const receivers = await times(2, () => startReceiver())
    for (const { url } of receivers) {
      const response = await api('/instance_webhooks', {
        instance_webhook: {
          url: url.replace('127.0.0.1', 'localhost'),
          events: ['account.created'],
        },
      })
      expect(response.status, JSON.stringify(response.json)).toBe(200)
    }
    const accounts = await times(40, async (n) => {
      const { json } = await api('/accounts', { account: { crm_key: `delivered ${n}` } })
      return json.account.id as string
    })
    for (const receiver of receivers) {
      await receiver.until(40)
      const delivered: string[] = receiver.received.map(
        ({ event }) => (event.data as Json).account.id,
      )
      expect(delivered.toSorted()).toEqual(accounts.toSorted())
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect(new Set(ids).size).toBe(40)
    }
  })
})

/** Has an hour pass for the charges of an amount, for all of them in the same moment. */
async function bringForward(amount: number): Promise<void> {
  const past = new Date(Date.now() - 1000).toISOString()
  await opened.db.transaction().execute(async (tx) => {
    await tx.updateTable('payments').set({ due: past }).where('amount', '=', amount).execute()
    await tx
      .updateTable('charges')
      .set({ due: past, next_attempt: past })
      .where('amount', '=', amount)
      .execute()
  })
}

async function events(type: string): Promise<number> {
  const rows = await opened.db.selectFrom('events').select('id').where('type', '=', type).execute()
  return rows.length
}

describe('two that are asked for too much', () => {
  it.runIf(isDeep)(
    'refuse what is beyond with a time to come again, and answer the others',
    async () => {
      const small = await startProgram(database.url, { BASE_URL: proxy.base, REQUESTS_MAX: '5' })
      try {
        const busy = createHttpClient(small.base)
        const ask = () => newLinkRequest(busy, '1.00')
        const answers = await times(200, ask)
        const refused = answers.filter(({ status }) => status === 503)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
        for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1')
        expect((await ask()).status).toBe(200)
      } finally {
        small.process.kill('SIGKILL')
        await small.ended
      }
    },
  )
})

describe('one that is asked to end under load', () => {
  it('answers everything that it has begun, keeps all of it, and leaves the rest to the other', async () => {
    const leaving = programs[1] as Program
    const earlier = linksMadeBy(leaving)
    const leavingClient = createHttpClient(leaving.base)
    const answered: string[] = []
    const load = { on: true }
    const client = async () => {
      while (load.on) {
        const response = await newLinkRequest(leavingClient, '15.01').catch(() => undefined)
        // The server no longer listens.
        if (!response) return
        expect(response.status).toBe(200)
        answered.push(response.json.payment_link.id as string)
      }
    }
    const clients = times(16, client)
    await until('load', async () => answered.length > 50)
    leaving.process.kill('SIGTERM')
    expect(await leaving.ended).toBe(0)
    load.on = false
    await clients
    // Each completed request was logged.
    expect(linksMadeBy(leaving) - earlier).toBe(answered.length)
    expect(await linksOf('15.01')).toBe(answered.length)
    programs = [programs[0] as Program]
    const sample = answered.filter((_, n) => n % 10 === 0 || n > answered.length - 20)
    const read = await times(sample.length, (n) => api(`/payment_links/${sample[n]}`))
    expect(read.map(({ status }) => status)).toEqual(sample.map(() => 200))
  })
})

/** Links that a process has made, by its log. */
function linksMadeBy(program: Program): number {
  return program
    .output()
    .split('\n')
    .filter((line) => /"method":"POST".*\/payment_links".*"status":200/.test(line)).length
}

async function linksOf(amount: string): Promise<number> {
  const rows = await opened.db
    .selectFrom('payment_links')
    .select('id')
    .where('options', 'like', `%"${amount}"%`)
    .execute()
  return rows.length
}
