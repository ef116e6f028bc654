import { expect } from 'vitest'
import type { ApiResponse } from '../client.ts'
import { newDeepLink } from '../deep-links.ts'
import { newLink, resumePayerClient } from '../payer-client.ts'
import { begin, type Fault, inFlight, type Model, newPayment, outcomeOf } from './model.ts'
import { chargeNamed, type Operation, pick } from './operation.ts'
import { newContract } from './schedule.ts'
import { formatAmount, type World } from './world.ts'

/** A payer on a link that pays charges or begins a contract, or on the deep link of the run. */
export interface LinkRequest {
  kind: 'link'
  pays: 'charges' | 'contract' | 'deep link'
  charges: number[]
  amount: number
  method: number
  fault: Fault
}

/** How many payers may use the deep link of a run. */
export const MAX_USES = 3

export function planLink(model: Model, wish: LinkRequest): Operation | undefined {
  const method = pick(model.methods, wish.method)
  if (!method) return undefined
  const fault = method.card === 'approve' ? wish.fault : 'none'
  const named = wish.pays === 'charges' ? namesOf(model, wish) : []
  if (wish.pays === 'charges' && named.length === 0) return undefined
  return {
    fault,
    send: async (world) => pay(world, await pathOf(world, wish, named), method.id),
    follow(now, answer) {
      const open = named
        .map((id) => chargeNamed(now, id))
        .map((charge) => ({ charge, amount: charge.amount - charge.paid - inFlight(now, charge) }))
        .filter(({ charge, amount }) => charge.status === 'ACTIVE' && amount > 0)
      const isPayable = wish.pays === 'charges' ? open.length > 0 : mayUse(now, wish)
      const { payment: row } = answer.json
      expect(row !== undefined, answer.text).toBe(isPayable)
      if (!isPayable) return
      // One link has one amount, whatever the first payer's was.
      const amount =
        wish.pays === 'deep link' ? (firstUse(now)?.amount ?? wish.amount) : wish.amount
      const parts = open.map((part) => ({ ...part, refunded: 0 }))
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
        amount: open.length === 0 ? amount : open.reduce((sum, part) => sum + part.amount, 0),
        id: row.id,
        method: method.id,
        card: method.card,
        isUse: wish.pays === 'deep link',
        charge,
        parts,
      })
      begin(now, payment, outcomeOf(now, method.card, fault))
      expect([row.status, row.amount]).toEqual([payment.status, payment.amount])
    },
  }
}

function namesOf(model: Model, { charges }: LinkRequest): string[] {
  const active = model.charges.filter(({ status }) => status === 'ACTIVE')
  return [...new Set(charges.flatMap((drawn) => pick(active, drawn)?.id ?? []))]
}

function firstUse({ payments }: Model) {
  return payments.find(({ isUse }) => isUse)
}

/** Whether one more payer may use the deep link: payments without an outcome reserve theirs. */
function mayUse({ payments }: Model, { pays }: LinkRequest): boolean {
  if (pays !== 'deep link') return true
  const counted = ['SUCCESS', 'PENDING', 'UNRESOLVED']
  const uses = payments.filter(({ isUse, status }) => isUse && counted.includes(status))
  return uses.length < MAX_USES
}

async function pathOf(
  world: World,
  { pays, amount: minor }: LinkRequest,
  charges: string[],
): Promise<string> {
  const { merchant, account } = world
  const amount = formatAmount(minor)
  if (pays === 'deep link') {
    const options = { amount, currency: 'EUR', account }
    // The longest that a link of a customer may be open.
    const expires = new Date(world.app.now() + 30 * 86_400_000).toISOString()
    const isNew = world.deepLink === undefined
    const more = { max_uses: MAX_USES, expires }
    const link = (world.deepLink ??= await newDeepLink(merchant, options, more))
    // Time passes between the uses of a run, and longer than that.
    const body = { mode: 'PATCH', deep_link: { expires } }
    if (!isNew) await merchant.api(`/deep_links/${link?.id}`, { method: 'PUT', body })
    return new URL(link?.url as string).pathname
  }
  const recurring = { frequency: 'MONTH', count: 2 }
  const options = pays === 'charges' ? { charges } : { amount, currency: 'EUR', recurring }
  return `/pay/${(await newLink(merchant, { account, ...options })).id}`
}

/** Pays as a payer does. The answer has the payment that was stored, as `payment`. */
async function pay({ app }: World, path: string, method: string): Promise<ApiResponse> {
  const opened = await app.call(`${path}/checkouts`, { body: {} })
  if (opened.status !== 200 || opened.json.token === undefined) return { ...opened, json: {} }
  const payer = resumePayerClient(app, opened.json)
  const answer = await payer.submit({ payment_method: { id: method, csc: '123' } })
  const payment = await app.checkstand.deps.db
    .selectFrom('payments')
    .innerJoin('attempts', 'attempts.payment_id', 'payments.id')
    .where('attempts.checkout_id', '=', payer.checkout.id)
    .select(['payments.id', 'payments.status', 'payments.amount'])
    .select(['payments.charge_id', 'payments.contract_id'])
    .executeTakeFirst()
  return { ...answer, json: { ...answer.json, payment } }
}
