import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/proof-of-work.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import type { Processor } from '../processors/port.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import {
  type ApiResponse,
  createCaller,
  type Merchant,
  startTestApp,
  type TestApp,
} from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { isDeep } from '../../test/depth.ts'
import { stubProcessor, createGate, reconcileAfter } from '../../test/payments-client.ts'
import {
  cardToken,
  newLink,
  openPayerClient,
  type PayerClient,
  readLink,
  openNewLink,
  returnFromBank,
} from '../../test/payer-client.ts'

const MINUTE = 60_000
const app = await startTestApp()
const { deps } = app.checkstand

/** A second server on the same database, as after a restart. */
const second = await createCheckstand({
  config: deps.config,
  now: app.now,
  log: createLog('silent', { write: () => {} }),
})
afterAll(() => second.close())
const elsewhere: TestApp = { ...app, checkstand: second, call: createCaller(second) }

/** The server as called from an IP address. */
const from = (address: string, server = app): TestApp => ({
  ...server,
  call: (path, call = {}) => server.call(path, { from: address, ...call }),
})

let networks = 0
/** The first three numbers of an IPv4 network that no other test uses. */
const newNetwork = () => `203.0.${(networks += 1)}`

// A merchant for each test, because declines add up per instance.
let merchant: Merchant
beforeEach(async () => {
  merchant = await app.newMerchant()
})

async function newPayer(server = app, of = merchant): Promise<PayerClient> {
  return openPayerClient(server, (await newLink(of)).id)
}

async function decline(payer: PayerClient, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const { json, text } = await payer.payByCard(CARDS.decline)
    expect(json.outcome, text).toBe('DECLINED')
  }
}

async function declineNew(times: number, server = app, of = merchant): Promise<void> {
  for (let i = 0; i < times; i += 1) await decline(await newPayer(server, of))
}

async function expectPaid(payer: PayerClient): Promise<void> {
  expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
}

async function expectPaused(payer: PayerClient, retryAfter: number): Promise<void> {
  expectRefused(await payer.payByCard(CARDS.approve), retryAfter)
}

function expectRefused(answer: ApiResponse, retryAfter: number): void {
  expect([answer.status, answer.json.error?.type]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect(answer.headers.get('retry-after')).toBe(String(retryAfter))
}

const sandbox = deps.processors.builtIn.get('sandbox') as Processor
const pay = sandbox.pay.bind(sandbox)
afterEach(() => {
  sandbox.pay = pay
})

describe('the reason of a decline', () => {
  const reasons = async (payer: PayerClient, cards: readonly string[]) => {
    const events: string[] = []
    for (const card of cards) {
      app.pass(1)
      const { json } = await payer.payByCard(card)
      const shown = (await payer.current()).json.checkout.result.message_id
      expect([json.outcome, json.message_id]).toEqual(['DECLINED', shown])
      events.push(shown.replace('errors.', ''))
    }
    return events
  }
  const { insufficient, expired } = CARDS

  it('is shown twice on a link and then hidden for fifteen minutes, in any session', async () => {
    const { link, payer: first } = await openNewLink({ ...app, merchant })
    expect(await reasons(first, [insufficient, expired])).toEqual([
      'insufficient_funds',
      'expired_card',
    ])
    const other = await openPayerClient(app, link.id)
    expect(await reasons(other, [insufficient, expired])).toEqual(['declined', 'declined'])
    app.pass(15 * MINUTE)
    expect(await reasons(await openPayerClient(app, link.id), [insufficient])).toEqual([
      'insufficient_funds',
    ])
  })

  it('is shown twice to a network, across links', async () => {
    const server = from(`${newNetwork()}.7`)
    const tries = async (of: TestApp) => reasons(await newPayer(of), [insufficient])
    expect([await tries(server), await tries(server), await tries(server)]).toEqual([
      ['insufficient_funds'],
      ['insufficient_funds'],
      ['declined'],
    ])
    expect(await tries(from(`${newNetwork()}.7`))).toEqual(['insufficient_funds'])
  })
})

describe('a link', () => {
  it('allows five declines within fifteen minutes, pauses, then allows five again', async () => {
    const payer = await newPayer()
    await decline(payer, 5)
    await expectPaused(payer, 900)
    app.pass(15 * MINUTE - 1)
    await expectPaused(payer, 1)
    app.pass(1)
    await decline(payer, 5)
    await expectPaused(payer, 900)
  })

  it('counts a sliding window of fifteen minutes', async () => {
    const payer = await newPayer()
    await decline(payer)
    app.pass(10 * MINUTE)
    await decline(payer, 3)
    app.pass(5 * MINUTE)
    // The first decline has left the window, so these are the fourth and the fifth.
    await decline(payer, 2)
    expectRefused(await payer.payByCard(CARDS.decline), 900)
  })

  it('pauses for all sessions and addresses, and other links do not', async () => {
    const link = await newLink(merchant)
    await decline(await openPayerClient(app, link.id), 2)
    await decline(await openPayerClient(from(`${newNetwork()}.1`), link.id), 2)
    await decline(await openPayerClient(from(`${newNetwork()}.1`), link.id))
    const stranger = await openPayerClient(from(`${newNetwork()}.1`), link.id)
    await expectPaused(stranger, 900)
    await expectPaid(await newPayer())
  })

  it('stores no attempt for a refused submit', async () => {
    const { link, payer } = await openNewLink({ ...app, merchant })
    await decline(payer, 5)
    const before = await readLink(merchant, link.id)
    await payer.payByCard(CARDS.approve)
    expect(await readLink(merchant, link.id)).toEqual(before)
    expect(before).toMatchObject({ status: 'ACTIVE', attempts: 5 })
  })

  it('returns the result of an earlier attempt and 410 while it pauses', async () => {
    const { link, payer } = await openNewLink({ ...app, merchant })
    const payment_method = { type: 'CARD', token: await cardToken(app, CARDS.decline) }
    const last = { attempt_key: randomUUID(), payment_method }
    await decline(payer, 4)
    await payer.submit(last)
    expect((await payer.submit(last)).json.outcome).toBe('DECLINED')
    await merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
  })

  it('counts declines after a challenge and later failures', async () => {
    const payer = await newPayer()
    await decline(payer, 3)
    const { json } = await payer.payByCard(CARDS.challenge)
    await returnFromBank(app, json.action.url, 'decline')
    await payer.payByCard(CARDS.pendingFailure)
    await reconcileAfter(app, 10_000)
    await expectPaused(payer, 900)
  })

  it('counts the declined cards of a free trial, and hides their reasons', async () => {
    const recurring = { frequency: 'MONTH', trial_days: 14 }
    const { link, payer } = await openNewLink({ ...app, merchant }, { amount: '5.00', recurring })
    const reasons: string[] = []
    for (let i = 0; i < 3; i += 1) {
      app.pass(1)
      const { json } = await payer.payByCard(CARDS.insufficient)
      reasons.push(json.message_id)
    }
    expect(reasons).toEqual(
      ['insufficient_funds', 'insufficient_funds', 'declined'].map((id) => `errors.${id}`),
    )
    const other = await openPayerClient(app, link.id)
    await decline(other, 2)
    await expectPaused(await openPayerClient(app, link.id), 900)
  })

  it('does not count errors before the issuer', async () => {
    const payer = await newPayer()
    await decline(payer, 4)
    sandbox.pay = async () => ({ status: 'ERROR', message: 'out of order' })
    for (let i = 0; i < 3; i += 1) {
      const { json } = await payer.payByCard(CARDS.approve)
      expect(json).toEqual({ outcome: 'DECLINED', message_id: 'errors.processor_error' })
    }
    sandbox.pay = pay
    await expectPaid(payer)
  })

  it('is logged once when it pauses, without its id', async () => {
    const { link, payer } = await openNewLink({ ...app, merchant })
    const before = app.logged().length
    const refusals = deps.security.counts().get('submit_refused') ?? 0
    await decline(payer, 5)
    await payer.payByCard(CARDS.decline)
    const lines = app.logged().slice(before)
    expect(lines.match(/"event":"declines_limited".*"limit":"link-declines"/g)).toHaveLength(1)
    expect((deps.security.counts().get('submit_refused') ?? 0) - refusals).toBe(1)
    expect(lines).not.toContain(link.id)
  })
})

describe('a network', () => {
  it('allows ten declines within an hour across links, then pauses for an hour', async () => {
    const network = newNetwork()
    for (let i = 0; i < 10; i += 1) await decline(await newPayer(from(`${network}.${i}`)))
    await expectPaused(await newPayer(from(`${network}.200`)), 3600)
    await expectPaid(await newPayer(from(`${newNetwork()}.1`)))
    app.pass(60 * MINUTE - 1)
    const later = await newPayer(from(`${network}.201`))
    await expectPaused(later, 1)
    app.pass(1)
    await expectPaid(later)
  })

  it('is the /64 of an IPv6 address', async () => {
    for (let i = 0; i < 10; i += 1) await decline(await newPayer(from(`2001:db8:1:2::${i}`)))
    await expectPaused(await newPayer(from('2001:db8:1:2:ffff::1')), 3600)
    await expectPaid(await newPayer(from('2001:db8:1:3::1')))
  })

  it('includes the /56 and the /48 around it, with higher limits', async () => {
    const address = (i: number) => `2001:db8:7:1${(i % 256).toString(16).padStart(2, '0')}::1`
    for (let i = 0; i < 40; i += 1) await decline(await newPayer(from(address(i))))
    await expectPaused(await newPayer(from(address(200))), 3600)
    await expectPaid(await newPayer(from('2001:db8:7:200::1')))
  })

  it('that pauses at one instance can pay at another', async () => {
    const server = from(`${newNetwork()}.7`)
    await declineNew(10, server)
    await expectPaused(await newPayer(server), 3600)
    await expectPaid(await newPayer(server, await app.newMerchant()))
  })

  it('allows a hundred declines within an hour across the instances of a mode', async () => {
    const server = from(`${newNetwork()}.7`)
    const shops = await Promise.all(Array.from({ length: 11 }, () => app.newMerchant()))
    for (let i = 0; i < 100; i += 1) {
      await decline(await newPayer(server, shops[Math.floor(i / 10)]))
    }
    const fresh = shops[10] as Merchant
    await expectPaused(await newPayer(server, fresh), 3600)
    // Declines in TEST do not count in LIVE.
    const { id } = fresh.instance
    await deps.db.updateTable('instances').set({ mode: 'LIVE' }).where('id', '=', id).execute()
    const link = await deps.db
      .selectFrom('payment_links')
      .select('id')
      .where('instance_id', '=', id)
      .executeTakeFirstOrThrow()
    stubProcessor(app, () => ({ test: false }))
    const live = await openPayerClient(server, link.id)
    await expectPaid(live)
  })

  it('does not reset its count after an approval', async () => {
    const server = from(`${newNetwork()}.7`)
    await declineNew(9, server)
    await expectPaid(await newPayer(server))
    await decline(await newPayer(server))
    await expectPaused(await newPayer(server), 3600)
  })

  it.each(['127.0.0.1', ...(isDeep ? ['10.1.2.3', 'fd00::1', '172.17.0.1'] : [])])(
    'is not counted for the private address %s, which is a proxy',
    async (address) => {
      const server = from(address)
      await declineNew(11, server)
    },
  )

  it('has no more attempts in progress than declines left', async () => {
    const server = from(`${newNetwork()}.7`)
    await decline(await newPayer(server))
    const payers = await Promise.all(Array.from({ length: 10 }, () => newPayer(server)))
    const [arrival, gate] = [createGate(), createGate()]
    let sent = 0
    sandbox.pay = async (operation) => {
      if (++sent === 9) arrival.open()
      await gate.passed
      return pay(operation)
    }
    const running = payers.slice(0, 9).map((payer) => payer.payByCard(CARDS.approve))
    await arrival.passed
    const tenth = payers[9] as PayerClient
    await expectPaused(tenth, 1)
    gate.open()
    const outcomes = (await Promise.all(running)).map(({ json }) => json.outcome)
    expect(outcomes).toEqual(Array(9).fill('COMPLETED'))
    await expectPaid(tenth)
  })

  it('admits no attempt after its last allowed decline, at any time', async () => {
    const plain = deps.db
    let reads = 1
    for (let moment = 1; moment <= reads; moment += 1) {
      const [server, of] = [from(`${newNetwork()}.7`), await app.newMerchant()]
      await declineNew(9, server, of)
      const [last, next] = [await newPayer(server, of), await newPayer(server, of)]
      const [arrival, gate] = [createGate(), createGate()]
      sandbox.pay = async (operation) => {
        arrival.open()
        await gate.passed
        return pay(operation)
      }
      const counts = { isOn: false }
      reads = 0
      deps.db = afterEachRead(plain, async () => {
        if (!counts.isOn) return
        reads += 1
        if (reads !== moment) return
        counts.isOn = false
        gate.open()
        await running
        counts.isOn = true
      })
      const running = decline(last)
      await arrival.passed
      const payment_method = { token: await cardToken(app, CARDS.approve) }
      counts.isOn = true
      const response = await next.submit({ payment_method })
      deps.db = plain
      expect([moment, response.status]).toEqual([moment, 429])
    }
    expect(reads).toBeGreaterThan(2)
  })
})

describe('a session', () => {
  const THREE = [CARDS.decline, CARDS.insufficient, CARDS.expired] as const

  it('accepts three different cards, and a fourth fifteen minutes after the first', async () => {
    const payer = await newPayer()
    for (const card of THREE) {
      expect((await payer.payByCard(card)).json.outcome).toBe('DECLINED')
      app.pass(MINUTE)
    }
    await expectPaused(payer, 12 * 60)
    app.pass(12 * MINUTE - 1)
    await expectPaused(payer, 1)
    app.pass(1)
    await expectPaid(payer)
  })

  it('accepts repeated attempts with one card', async () => {
    const payer = await newPayer()
    await decline(payer, 4)
    await expectPaid(payer)
  })

  it('accepts another method type after three cards', async () => {
    const payer = await newPayer()
    for (const card of THREE) await payer.payByCard(card)
    const { json } = await payer.submit({ payment_method: { type: 'BANK_TRANSFER' } })
    expect(json.outcome).toBe('ACTION')
  })

  it('has its own limit', async () => {
    const { link, payer } = await openNewLink({ ...app, merchant })
    for (const card of THREE) await payer.payByCard(card)
    const other = await openPayerClient(app, link.id)
    await expectPaid(other)
  })

  it('returns a wrong security code like any other decline', async () => {
    const wrongCode = await (await newPayer()).payByCard(CARDS.wrongCode)
    const declined = await (await newPayer()).payByCard(CARDS.decline)
    expect(wrongCode.json).toEqual(declined.json)
  })
})

describe('the first submit', () => {
  it('must wait a second after the opening of the session; later ones need not wait', async () => {
    const paced = await startTestApp({ PAYER_PAUSE_MS: '1000' })
    const { link, payer } = await openNewLink(paced)
    expectRefused(await payer.payByCard(CARDS.decline), 1)
    paced.pass(999)
    expectRefused(await payer.payByCard(CARDS.decline), 1)
    expect((await readLink(paced.merchant, link.id)).attempts).toBe(0)
    paced.pass(1)
    await decline(payer, 2)
  })
})

describe('an instance', () => {
  it('is protected when more than 70 % of the newest fifty attempts are declined', async () => {
    await attempts(CARDS.approve, 15)
    await attempts(CARDS.decline, 35)
    expect(await isProtected()).toBe(false)
    // The oldest of the fifty was approved, so 36 are declined now.
    await attempts(CARDS.decline, 1)
    expect(await isProtected()).toBe(true)
    // Another merchant with a decline is not protected.
    await decline(await newPayer(app, app.merchant))
    expect(await isProtected(app.merchant)).toBe(false)
    expect(app.logged()).toMatch(
      new RegExp(
        `"event":"card_testing_suspected","instance":"${merchant.instance.id}","limit":"instance-declines"`,
      ),
    )
    app.pass(15 * MINUTE - 1)
    expect(await isProtected()).toBe(true)
    app.pass(1)
    expect(await isProtected()).toBe(false)
  })

  it('is not protected for fewer than fifty attempts within a day', async () => {
    await attempts(CARDS.decline, 49)
    expect(await isProtected()).toBe(false)
    app.pass(24 * 60 * MINUTE)
    await attempts(CARDS.decline, 2)
    expect(await isProtected()).toBe(false)
  })

  it('that is protected hides decline reasons from payers but not from the merchant', async () => {
    await protect()
    const payer = await newPayer()
    app.pass(5000)
    const attempt_key = randomUUID()
    const proof = work(payer, attempt_key)
    const response = await payer.payByCard(CARDS.insufficient, { attempt_key, proof })
    expect([response.json.outcome, response.json.message_id]).toEqual([
      'DECLINED',
      'errors.declined',
    ])
    const { payments } = (await merchant.api('/payments?order=created:desc&limit=1')).json
    expect(payments[0].gateway_message).toBe('The account does not hold enough money.')
  })

  it('that is protected requires proof of work and five seconds between submits', async () => {
    await protect()
    const payer = await newPayer()
    const submit = async (proof?: string, attempt_key = randomUUID()) =>
      payer.submit({
        attempt_key,
        payment_method: { type: 'CARD', token: await cardToken(app, CARDS.decline) },
        ...(proof === undefined ? {} : { proof }),
      })
    const key = randomUUID()
    const proof = work(payer, key)
    expectAsked(await submit(proof, key), 5)
    app.pass(4999)
    expectAsked(await submit(proof, key), 1)
    app.pass(1)
    expectAsked(await submit(undefined, key), 1)
    expectAsked(await submit(String(Number(proof) + 1), key), 1)
    expectAsked(await submit(proof), 1)
    expectAsked(await submit(work(await newPayer(), key), key), 1)
    expect((await submit(proof, key)).json.outcome).toBe('DECLINED')
    const next = randomUUID()
    expectAsked(await submit(work(payer, next), next), 5)
    app.pass(5000)
    expect((await submit(work(payer, next), next)).json.outcome).toBe('DECLINED')
  })

  async function attempts(card: string, times: number): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      app.pass(1)
      await (await newPayer()).payByCard(card)
    }
  }

  async function isProtected(of = merchant): Promise<boolean> {
    const response = await (await newPayer(app, of)).payByCard(CARDS.approve)
    if (response.status === 200) return false
    expectAsked(response, 5)
    return true
  }

  function expectAsked(answer: ApiResponse, retryAfter: number): void {
    expectRefused(answer, retryAfter)
    expect(answer.headers.get(WORK_HEADER)).toBe('12')
  }

  /** Computes a valid proof of work, as the page does. */
  function work(payer: PayerClient, attemptKey: string): string {
    for (let n = 0; ; n += 1) {
      const text = workText(payer.checkout.id, attemptKey, String(n))
      if (zeroBits(createHash('sha256').update(text).digest()) >= 12) return String(n)
    }
  }
})

async function protect(): Promise<void> {
  await declineNew(50)
}

describe('after a restart', () => {
  it('limits of links, networks and instances persist', async () => {
    const link = await newLink(merchant)
    await decline(await openPayerClient(app, link.id), 5)
    const again = await openPayerClient(elsewhere, link.id)
    await expectPaused(again, 900)

    const address = `${newNetwork()}.77`
    for (let i = 0; i < 10; i += 1) await decline(await newPayer(from(address)))
    const there = await newPayer(from(address, elsewhere))
    await expectPaused(there, 3600)

    merchant = await app.newMerchant()
    await protect()
    const payer = await newPayer(elsewhere)
    await expectPaused(payer, 5)
  })
})

it('the setting CARD_TESTING_GUARD=0 disables all limits', async () => {
  const open = await startTestApp({ CARD_TESTING_GUARD: '0' })
  const payer = await openPayerClient(from('203.0.113.5', open), (await newLink(open.merchant)).id)
  for (const card of [CARDS.decline, CARDS.insufficient, CARDS.expired, CARDS.wrongCode]) {
    expect((await payer.payByCard(card)).json.outcome).toBe('DECLINED')
  }
  await decline(payer, 7)
  await expectPaid(payer)
})
