import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashSecret, newSecret } from '../server/auth/secrets.ts'
import { openDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { inTransaction } from '../server/db/transaction.ts'
import { type FailpointName, FAILPOINTS } from '../server/failpoint.ts'
import { createClient } from '../server/oauth/clients.ts'
import { insertCode, insertGrant } from '../server/oauth/grant-store.ts'
import { CARDS } from './cards.ts'
import { basic } from './client.ts'
import { isDeep } from './depth.ts'
import {
  BETWEEN_CALLS,
  type CrashServer,
  type HttpServer,
  type MovedMoney,
  movedMoneyOf,
  type RecoveredServer,
  startCrashServer,
} from './crash-server.ts'
import { type Json, openPaymentsClient } from './payments-client.ts'
import { cardToken, newLink, openPayerClient, resumePayerClient } from './payer-client.ts'
import { until } from './program.ts'
import { startReceiver } from './webhook-receiver.ts'

/**
 * Kills the program at each failpoint, as a power cut would, and starts it again. The client repeats
 * its request until a response comes. Tests run concurrently, because they mostly wait for programs to
 * start.
 */

const TIMEOUT = { timeout: 240_000 }
const NOTHING: MovedMoney = { charged: [], refunded: [], released: [] }

/**
 * `npm test` kills the server where the database alone cannot tell what happened to money: a request is
 * acted on and not stored, an attempt is stored and not answered, or an answer has come and is not stored.
 */
const QUICK =
  /^(attempt-stored|(processor|capture|refund|void|collection)-answered|once-acted|once-stored)$/

function inThisRun<R extends [FailpointName, ...unknown[]]>(rows: R[]): R[] {
  return isDeep ? rows : rows.filter(([point]) => QUICK.test(point))
}

/** Sends a POST to the merchant's API under an Idempotency-Key, so that it can be repeated. */
const post = ({ api }: HttpServer, path: string, body: object, key = 'the-one') =>
  api(path, { body, headers: { 'idempotency-key': key } })

type Verb = 'pay' | 'capture' | 'refund' | 'void'
type Row = [point: FailpointName, verb: Verb, status: string, books: Partial<MovedMoney>]

/** The failpoint, the operation, its final status, and the processor's records. */
const MERCHANTS: Row[] = [
  ['attempt-begun', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['attempt-stored', 'pay', 'DECLINE', {}],
  ['sandbox-charged', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['processor-answered', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['outcome-stored', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['capture-stored', 'capture', 'DECLINE', {}],
  ['capture-answered', 'capture', 'SUCCESS', { charged: [300] }],
  ['capture-settled', 'capture', 'SUCCESS', { charged: [300] }],
  ['refund-stored', 'refund', 'DECLINED', { charged: [1_000] }],
  ['refund-answered', 'refund', 'SUCCESS', { charged: [1_000], refunded: [300] }],
  ['refund-settled', 'refund', 'SUCCESS', { charged: [1_000], refunded: [300] }],
  ['void-stored', 'void', 'DECLINED', {}],
  ['void-answered', 'void', 'SUCCESS', { released: [1_000] }],
  ['void-settled', 'void', 'SUCCESS', { released: [1_000] }],
]

it.concurrent.for(inThisRun(MERCHANTS))(
  'after a kill at %s, a %s by a merchant is %s and happens at most once',
  TIMEOUT,
  async ([point, verb, status, books], { expect, onTestFinished }) => {
    const crashServer = await startCrashServer(point, onTestFinished)
    const [path, body] = await operation(crashServer, verb)
    await expect(post(crashServer, path, body)).rejects.toThrow('fetch failed')
    expect(await crashServer.ended).toBe('SIGKILL')

    const recovered = await crashServer.recover()
    const found = await until('an outcome', async () => {
      const response = await post(recovered, path, body)
      const record = response.status === 200 ? (Object.values(response.json)[0] as Json) : undefined
      return ['PENDING', 'UNRESOLVED', undefined].includes(record?.status) ? undefined : record
    })
    expect(found.status).toBe(status)
    expect(await movedMoneyOf(recovered)).toEqual({ ...NOTHING, ...books })
  },
)

/** Prepares the operation. Returns its request. */
async function operation(site: HttpServer, verb: Verb): Promise<[path: string, body: object]> {
  if (verb === 'pay') {
    const payment_method = { token: await cardToken(site, CARDS.approve) }
    return ['/payments', { payment: { amount: '10.00', currency: 'EUR', payment_method } }]
  }
  const action = verb === 'refund' ? 'PAYMENT' : 'AUTH'
  const { id } = await openPaymentsClient(site, site).pay(undefined, { action })
  return [`/payments/${id}/${verb}`, verb === 'void' ? {} : { [verb]: { amount: '3.00' } }]
}

/** The failpoint of a payer's submit, its outcome, the link's status, and the charges. */
const PAYERS: [point: FailpointName, outcome: string, link: string, charged: number[]][] = [
  ['attempt-begun', 'COMPLETED', 'PAYMENT_SUCCESS', [1_250]],
  ['attempt-stored', 'DECLINED', 'ACTIVE', []],
  ['sandbox-charged', 'COMPLETED', 'PAYMENT_SUCCESS', [1_250]],
  ['processor-answered', 'COMPLETED', 'PAYMENT_SUCCESS', [1_250]],
  ['outcome-stored', 'COMPLETED', 'PAYMENT_SUCCESS', [1_250]],
]

it.concurrent.for(inThisRun(PAYERS))(
  'killed at %s, a payment by a payer is %s, its link %s, and the card charged once at most',
  TIMEOUT,
  async ([point, outcome, status, charged], { expect, onTestFinished }) => {
    const crashServer = await startCrashServer(point, onTestFinished)
    const { id, submit } = await payer(crashServer)
    await expect(submit(crashServer)).rejects.toThrow('fetch failed')
    expect(await crashServer.ended).toBe('SIGKILL')

    const recovered = await crashServer.recover()
    // The page repeats the same attempt until it has an outcome.
    const result = await until('a final answer', async () => {
      const { json } = await submit(recovered)
      return json.outcome === 'PENDING' ? undefined : (json.outcome as string)
    })
    expect(result).toBe(outcome)
    const { json } = await recovered.api(`/payment_links/${id}`)
    expect(json.payment_link.status).toBe(status)
    expect(await movedMoneyOf(recovered)).toEqual({ ...NOTHING, charged })
  },
)

/** The failpoint of a free trial, its outcome, the link's status, and the number of contracts. */
const TRIALS: [point: FailpointName, outcome: string, link: string, contracts: number][] = [
  ['setup-stored', 'DECLINED', 'ACTIVE', 0],
  ['setup-answered', 'COMPLETED', 'PAYMENT_SUCCESS', 1],
  ['setup-settled', 'COMPLETED', 'PAYMENT_SUCCESS', 1],
]

it.concurrent.for(inThisRun(TRIALS))(
  'killed at %s, a free trial is %s, its link %s, with %i contracts',
  TIMEOUT,
  async ([point, outcome, status, contracts], { expect, onTestFinished }) => {
    const crashServer = await startCrashServer(point, onTestFinished)
    const recurring = { frequency: 'MONTH', trial_days: 14 }
    const { id, submit } = await payer(crashServer, { amount: '12.50', recurring })
    await expect(submit(crashServer)).rejects.toThrow('fetch failed')
    expect(await crashServer.ended).toBe('SIGKILL')

    const recovered = await crashServer.recover()
    const result = await until('a final answer', async () => {
      const { json } = await submit(recovered)
      return json.outcome === 'PENDING' ? undefined : (json.outcome as string)
    })
    expect(result).toBe(outcome)
    const { json } = await recovered.api(`/payment_links/${id}`)
    expect(json.payment_link).toMatchObject({ status, payment: null })
    const begun = (await recovered.api('/contracts')).json.contracts as Json[]
    expect(begun.map((contract) => contract.id)).toEqual(
      contracts === 0 ? [] : [json.payment_link.contract],
    )
    expect(await movedMoneyOf(recovered)).toEqual(NOTHING)
  },
)

/** Opens a link over 12.50. Returns its id and the submit. */
async function payer(site: HttpServer, options?: Record<string, unknown>) {
  const { id } = await newLink(site, options)
  const opened = await openPayerClient(site, id)
  const payment_method = { type: 'CARD', token: await cardToken(site, CARDS.approve) }
  const attempt = { attempt_key: randomUUID(), payment_method }
  const submit = (to: HttpServer) => resumePayerClient(to, opened).submit(attempt)
  return { id: id as string, submit }
}

/** The failpoint of a collection, the payment's status, the charge's status, and the charges. */
const COLLECTIONS: [point: FailpointName, payment: string, charge: string, charged: number[]][] = [
  // A failed collection is retried on another day, like a declined one.
  ['collection-stored', 'DECLINE', 'ACTIVE', []],
  ['collection-answered', 'SUCCESS', 'PAID', [700]],
  ['collection-settled', 'SUCCESS', 'PAID', [700]],
]

it.concurrent.for(inThisRun(COLLECTIONS))(
  'killed at %s, what was due is collected as %s, its charge %s',
  TIMEOUT,
  async ([point, status, charge, charged], { expect, onTestFinished }) => {
    const crashServer = await startCrashServer(point, onTestFinished)
    const scheduled = await schedule(crashServer)
    expect(await crashServer.ended).toBe('SIGKILL')

    const recovered = await crashServer.recover()
    const found = await until('an outcome', async () => {
      const { json } = await recovered.api(`/payments/${scheduled}?expand=charge`)
      return ['SCHEDULED', 'PENDING'].includes(json.payment.status) ? undefined : json.payment
    })
    expect([found.status, found.charge.status]).toEqual([status, charge])
    expect(await movedMoneyOf(recovered)).toEqual({ ...NOTHING, charged: [100, ...charged] })
  },
)

/** Announces 7.00 from a stored card, and then has it due at once; answers the payment's id. */
async function schedule(site: HttpServer): Promise<string> {
  const { storeCard, pay } = openPaymentsClient(site, site)
  const { account, method } = await storeCard()
  const due = new Date(Date.now() + 3_600_000).toISOString()
  const later = { amount: '7.00', account, payment_method: method, due }
  const payment = await pay(undefined, later)
  const changed = await site.api(`/charges/${payment.charge}`, {
    method: 'PUT',
    body: { charge: { due: new Date().toISOString() } },
  })
  expect(changed.status, changed.text).toBe(200)
  return payment.id
}

/** Makes the server reach its failpoint. Returns the checks of the recovered server. */
type CrashScenario = (
  crashServer: CrashServer,
) => Promise<(recovered: RecoveredServer) => Promise<void>>

const ADMIN = {
  CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example',
  CHECKSTAND_ADMIN_PASSWORD: 'correct horse battery',
}

const OTHERS: [
  point: FailpointName,
  truth: string,
  scenario: CrashScenario,
  env?: Record<string, string>,
][] = [
  ['once-acted', 'nothing is left of the request, and its repeat is the first', makeLink(0)],
  ['once-stored', 'link, event and answer are there, and the repeat is replayed', makeLink(1)],
  ['strings-set-stored', 'a set is whole or absent, and the same batch converges', saveStrings],
  ['tokens-issued', 'the code is unused, and the repeat gets tokens', exchange(200), ADMIN],
  ['tokens-stored', 'the code is used up, and a repeat gets no tokens', exchange(400), ADMIN],
  ['events-handed-out', 'the event is delivered, once', deliver(1)],
  ['delivery-leased', 'the event is delivered, once', deliver(1)],
  ['delivery-answered', 'the event is delivered again under the same id', deliver(2)],
]

it.concurrent.for(inThisRun(OTHERS))(
  'killed at %s, %s',
  TIMEOUT,
  async ([point, , scenario, env], { expect, onTestFinished }) => {
    const crashServer = await startCrashServer(point, onTestFinished, env)
    const truth = await scenario(crashServer)
    expect(await crashServer.ended).toBe('SIGKILL')
    await truth(await crashServer.recover())
  },
)

function makeLink(kept: number): CrashScenario {
  return async (crashServer) => {
    const ask = (site: HttpServer) => post(site, '/payment_links', { payment_link: {} })
    await expect(ask(crashServer)).rejects.toThrow('fetch failed')
    return async (recovered) => {
      const { db } = recovered.checkstand.deps
      const count = async (table: 'payment_links' | 'events' | 'idempotency_keys') =>
        (await db.selectFrom(table).select('instance_id').execute()).length
      const counts = async () => [
        await count('payment_links'),
        await count('events'),
        await count('idempotency_keys'),
      ]
      expect(await counts()).toEqual([kept, kept, kept])
      const first = await ask(recovered)
      expect(first.status).toBe(200)
      expect((await ask(recovered)).json).toEqual(first.json)
      expect(await counts()).toEqual([1, 1, 1])
    }
  }
}

async function saveStrings(crashServer: CrashServer): ReturnType<CrashScenario> {
  const ids = ['checkout.title', 'methods.title', 'card.code']
  const strings = ids.map((id) => ({ id, text: 'new' }))
  const ask = (site: HttpServer) => post(site, '/strings', { strings })
  const texts = (site: HttpServer) =>
    Promise.all(ids.map(async (id) => (await site.api(`/strings/${id}`)).json.string.text))
  const shipped = await texts(crashServer)
  await expect(ask(crashServer)).rejects.toThrow('fetch failed')
  return async (recovered) => {
    expect(await texts(recovered)).toEqual(['new', ...shipped.slice(1)])
    expect((await ask(recovered)).status).toBe(200)
    expect(await texts(recovered)).toEqual(['new', 'new', 'new'])
  }
}

function exchange(status: number): CrashScenario {
  return async (crashServer) => {
    const redirect_url = 'https://platform.example/callback'
    const { client, code } = await plantCode(crashServer.databaseUrl, redirect_url)
    const ask = ({ call }: HttpServer) =>
      call('/oauth/token', {
        headers: {
          authorization: basic(client),
          'content-type': 'application/x-www-form-urlencoded',
        },
        raw: String(new URLSearchParams({ grant_type: 'authorization_code', code, redirect_url })),
      })
    await expect(ask(crashServer)).rejects.toThrow('fetch failed')
    return async (recovered) => {
      const { db } = recovered.checkstand.deps
      const tokens = async () =>
        (await db.selectFrom('oauth_tokens').select('hash').execute()).length
      const used = await db.selectFrom('oauth_codes').select('used').executeTakeFirstOrThrow()
      expect(used.used === null).toBe(status === 200)
      expect(await tokens()).toBe(status === 200 ? 0 : 2)
      const response = await ask(recovered)
      expect(response.status).toBe(status)
      // Tokens of a revoked grant may be deleted by now.
      if (status === 200) expect(await tokens()).toBe(2)
      // A reused code may be stolen, so its first tokens are revoked (RFC 6749, section 4.1.2).
      const grants = await db.selectFrom('oauth_grants').select('revoked').execute()
      expect(grants.map(({ revoked }) => revoked === null)).toEqual([status === 200])
    }
  }
}

/** Inserts an authorization code as the consent page does, for the administrator. */
async function plantCode(databaseUrl: string, redirectUrl: string) {
  const { db, close } = await openDatabase<Tables>(databaseUrl)
  const now = () => Date.now()
  const { clientId, clientSecret } = await createClient(
    { db, now },
    { name: 'Ledgerly', redirectUrls: [redirectUrl] },
  )
  const { id: instance_id } = await db
    .selectFrom('instances')
    .select('id')
    .executeTakeFirstOrThrow()
  const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const code = newSecret('cd')
  const created = new Date().toISOString()
  const expires = new Date(Date.now() + 900_000).toISOString()
  const grant = { id: 'og_1_0000000000000000', client_id: clientId, instance_id, user_id }
  await inTransaction(db, async (tx) => {
    await insertGrant(tx, { ...grant, scopes: 'read', created, revoked: null, last_used: null })
    await insertCode(tx, {
      hash: hashSecret(code),
      grant_id: grant.id,
      client_id: clientId,
      redirect_url: redirectUrl,
      challenge: null,
      created,
      expires,
      used: null,
    })
  })
  await close()
  return { client: `${clientId}:${clientSecret}`, code }
}

function deliver(times: number): CrashScenario {
  return async (crashServer) => {
    const { url, ids } = await startReceiver()
    const instance_webhook = { url, events: ['account.created'] }
    await post(crashServer, '/instance_webhooks', { instance_webhook }, 'webhook')
    const created = await post(crashServer, '/accounts', { account: { crm_key: 'payer' } })
    expect(created.status).toBe(200)
    return async (recovered) => {
      const { db } = recovered.checkstand.deps
      await until('the delivery to be recorded', async () => {
        const rows = await db.selectFrom('deliveries').select('status').execute()
        return rows.length === 1 && rows[0]?.status === 'DELIVERED'
      })
      const { id } = await db
        .selectFrom('events')
        .select('id')
        .where('type', '=', 'account.created')
        .executeTakeFirstOrThrow()
      expect(ids()).toEqual(Array<string>(times).fill(id))
    }
  }
}

it('kills the server at every failpoint', () => {
  const rows = [MERCHANTS, PAYERS, TRIALS, COLLECTIONS, OTHERS]
  const killed = rows.flatMap((each) => each.map(([point]) => point))
  // Those between the calls of a processor are killed at in stripe-failpoints.test.ts.
  expect(new Set([...killed, ...BETWEEN_CALLS])).toEqual(new Set(FAILPOINTS))
})
