import { expect } from 'vitest'
import type { ApiResponse } from '../client.ts'
import { newDeepLink } from '../deep-links.ts'
import { newLink, resumePayerClient } from '../payer-client.ts'
import {
  begin,
  type Charge,
  DAY_MS,
  type DeepLink,
  type Fault,
  inFlight,
  type Model,
  newPayment,
  outcomeOf,
} from './model.ts'
import { chargeNamed, type Operation, pick } from './operation.ts'
import { newContract } from './schedule.ts'
import { formatAmount, type World } from './world.ts'

/** A payer on a link that pays charges or begins a contract, or on a deep link. */
export interface LinkRequest {
  kind: 'link'
  pays: 'charges' | 'owed' | 'contract' | 'deep link'
  charges: number[]
  amount: number
  method: number
  fault: Fault
  /** Whether the payer presses the button again after a decline, which then goes well. */
  again: boolean
  /** Whether something else happens between the opening of the page and the press of the button. */
  isRaced: boolean
}

/** How many payers may use a deep link at first. */
export const MAX_USES = 3

export function planLink(model: Model, wish: LinkRequest): Operation | undefined {
  const method = pick(model.methods, wish.method)
  if (!method) return undefined
  const fault = method.card === 'approve' ? wish.fault : 'none'
  const named = wish.pays === 'charges' ? namesOf(model, wish) : []
  if (wish.pays === 'charges' && named.length === 0) return undefined
  const again = wish.again && fault === 'declined'
  return {
    fault,
    send: async (world) => pay(world, await pathOf(world, wish, named), method.id, again),
    follow(now, answer) {
      const rows = answer.json.payments as PaidRow[]
      // A page that was opened before shows terms that hold no more.
      if (wish.isRaced && answer.json.outcome === 'TERMS_CHANGED') return expect(rows).toEqual([])
      const deepLink = wish.pays === 'deep link' ? presentDeepLink(now, wish, answer) : null
      const owed = wish.pays === 'owed' ? chargesOf(now) : named.map((id) => chargeNamed(now, id))
      const isPayable = deepLink
        ? hasUse(now, deepLink)
        : wish.pays === 'contract' || openParts(now, owed).length > 0
      expect(rows.length, answer.text).toBe(isPayable ? (again ? 2 : 1) : 0)
      for (const [at, row] of rows.entries()) {
        const parts = openParts(now, owed)
        const amount = deepLink?.amount ?? wish.amount
        const charge =
          wish.pays === 'contract'
            ? newContract(
                now,
                { amount, method: method.id, unit: 'MONTH', interval: 1, count: 2 },
                { contract: row.contract_id, charge: row.charge_id },
              )
            : null
        if (charge) parts.push({ charge, amount, refunded: 0 })
        const payment = newPayment(now, {
          type: 'PAYMENT',
          amount: parts.length === 0 ? amount : parts.reduce((sum, part) => sum + part.amount, 0),
          id: row.id,
          method: method.id,
          card: method.card,
          deepLink,
          charge,
          parts,
        })
        begin(now, payment, outcomeOf(now, method.card, at === 0 ? fault : 'none'))
        expect([row.status, row.amount]).toEqual([payment.status, payment.amount])
      }
    },
  }
}

function namesOf(model: Model, { charges }: LinkRequest): string[] {
  const active = model.charges.filter(({ status }) => status === 'ACTIVE')
  return [...new Set(charges.flatMap((drawn) => pick(active, drawn)?.id ?? []))]
}

/** As many as one payment pays, those that are due first. */
function chargesOf({ charges }: Model): Charge[] {
  const active = charges.filter(
    (charge) => charge.status === 'ACTIVE' && charge.amount > charge.paid,
  )
  const dueOf = ({ due }: Charge) => due ?? Infinity
  return active
    .toSorted((a, b) => dueOf(a) - dueOf(b) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
    .slice(0, 20)
}

function openParts(model: Model, charges: readonly Charge[]) {
  return charges
    .map((charge) => ({
      charge,
      amount: charge.amount - charge.paid - inFlight(model, charge),
      refunded: 0,
    }))
    .filter(({ charge, amount }) => charge.status === 'ACTIVE' && amount > 0)
}

/** The deep link of the model; it is made for its first payer. */
function presentDeepLink(model: Model, { amount }: LinkRequest, { json }: ApiResponse): DeepLink {
  const present = model.deepLinks.find((link) => !link.archived)
  if (present) return present
  const made = { id: json.deepLink, amount, maxUses: MAX_USES, archived: false }
  model.deepLinks.push(made)
  return made
}

/** Whether one more payer may use a deep link: payments without an outcome reserve theirs. */
function hasUse({ payments }: Model, deepLink: DeepLink): boolean {
  const counted = ['SUCCESS', 'PENDING', 'UNRESOLVED']
  const uses = payments.filter((row) => row.deepLink === deepLink && counted.includes(row.status))
  return uses.length < deepLink.maxUses
}

async function pathOf(
  world: World,
  { pays, amount: minor }: LinkRequest,
  charges: string[],
): Promise<string> {
  const { app, merchant, account } = world
  const amount = formatAmount(minor)
  switch (pays) {
    case 'deep link': {
      const options = { amount, currency: 'EUR', account }
      // The longest that a link of a customer may be open.
      const expires = new Date(app.now() + 30 * DAY_MS).toISOString()
      const isNew = world.deepLink === undefined
      world.deepLink ??= newDeepLink(merchant, options, { max_uses: MAX_USES, expires })
      const { id } = await world.deepLink
      // Time passes between the uses of a run, and longer than that.
      const body = { mode: 'PATCH', deep_link: { expires } }
      if (!isNew) await merchant.api(`/deep_links/${id}`, { method: 'PUT', body })
      return `/go/${id}`
    }
    case 'owed': {
      const expires = new Date(app.now() + DAY_MS).toISOString()
      const link = { action: 'PAY_CHARGES', account, expires }
      return `/go/${(await newDeepLink(merchant, {}, link)).id}`
    }
    case 'charges':
      return `/pay/${(await newLink(merchant, { account, charges })).id}`
    case 'contract': {
      const recurring = { frequency: 'MONTH', count: 2 }
      const options = { account, amount, currency: 'EUR', recurring }
      return `/pay/${(await newLink(merchant, options)).id}`
    }
  }
}

interface PaidRow {
  id: string
  status: string
  amount: number
  charge_id: string
  contract_id: string
}

/** Pays as a payer does. The answer has the payments that were stored, and the id of the deep link. */
async function pay(
  world: World,
  path: string,
  method: string,
  again: boolean,
): Promise<ApiResponse> {
  const { app } = world
  const deepLink = (await world.deepLink)?.id
  const opened = await app.call(`${path}/checkouts`, { body: {} })
  if (opened.status !== 200 || opened.json.token === undefined) {
    return { ...opened, json: { payments: [], deepLink } }
  }
  const payer = resumePayerClient(app, opened.json)
  const press = () => payer.submit({ payment_method: { id: method, csc: '123' } })
  const first = await press()
  if (again && first.json.outcome === 'DECLINED') {
    world.fault = 'none'
    await press()
  }
  const payments = await app.checkstand.deps.db
    .selectFrom('payments')
    .innerJoin('attempts', 'attempts.payment_id', 'payments.id')
    .where('attempts.checkout_id', '=', payer.checkout.id)
    .select(['payments.id', 'payments.status', 'payments.amount'])
    .select(['payments.charge_id', 'payments.contract_id'])
    .execute()
  // The first one was declined when there are two.
  const rank = ({ status }: { status: string }) => (status === 'DECLINE' ? 0 : 1)
  const inOrder = payments.toSorted((one, other) => rank(one) - rank(other))
  return { ...first, json: { ...first.json, payments: inOrder, deepLink } }
}
