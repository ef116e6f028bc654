import fc from 'fast-check'
import { expect } from 'vitest'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import { STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'
import {
  amountsOf,
  type ModelPayment,
  type ModelReversal,
  newPayment,
  readAll,
  settleAll,
  type StripeModel,
} from './model.ts'
import { expectSamePayments, formatAmount, type StripeWorld } from './world.ts'

/** What payers, the merchant, their dashboard and banks do with payments at Stripe. */

type Command = fc.AsyncCommand<StripeModel, StripeWorld>
type Act = (model: StripeModel, world: StripeWorld) => Promise<void>

const HOUR_MS = 3_600_000
/** Longer than the reconciler waits before it asks about a debit. */
const SETTLED_MS = 7 * HOUR_MS
const IBAN = 'AT611904300234573201'
const FAILING_IBAN = 'AT861904300235473202'

/** A command of plain data. `act` returns nothing to do when there is no record for it. */
function command(name: string, given: object, act: Act): Command {
  return {
    check: () => true,
    async run(model, world) {
      await act(model, world)
      await expectSamePayments(model, world)
    },
    toString: () => `${name}${JSON.stringify(given)}`,
  }
}

const PAYERS = {
  card: (amount) => payByCard(amount, STRIPE_CARDS.approve, 'SUCCESS'),
  'declined card': (amount) => payByCard(amount, STRIPE_CARDS.decline, 'DECLINE'),
  'approved at the bank': (amount) => confirmAtBank(amount, 'approve'),
  'declined at the bank': (amount) => confirmAtBank(amount, 'decline'),
  debit: (amount) => payByDebit(amount, IBAN, 'SUCCESS'),
  'failing debit': (amount) => payByDebit(amount, FAILING_IBAN, 'DECLINE'),
  'leaves a payment that arrives later': (amount) => leave(amount),
} satisfies Record<string, (amount: number) => Act>

function payByCard(amount: number, card: string, status: 'SUCCESS' | 'DECLINE'): Act {
  return async ({ payments }, { payLink, fake }) => {
    const { outcome, intent } = await payLink(amount, 'CARD', fake.card(card))
    expect(outcome).toBe(status === 'SUCCESS' ? 'COMPLETED' : 'DECLINED')
    payments.push(newPayment({ intent, amount, status }))
  }
}

function confirmAtBank(amount: number, choice: 'approve' | 'decline'): Act {
  return async ({ payments }, { payLink, fake, app }) => {
    const { outcome, intent, bank } = await payLink(
      amount,
      'CARD',
      fake.card(STRIPE_CARDS.alwaysAsks),
    )
    expect(outcome).toBe('ACTION')
    fake.confirm(bank, choice)
    const back = fake.account.intents.get(intent)?.return_url as string
    expect((await app.call(new URL(back).pathname)).status).toBe(303)
    const status = choice === 'approve' ? 'SUCCESS' : 'DECLINE'
    payments.push(newPayment({ intent, amount, status }))
  }
}

function payByDebit(amount: number, iban: string, ending: 'SUCCESS' | 'DECLINE'): Act {
  return async ({ payments }, { payLink, fake }) => {
    const { outcome, intent } = await payLink(amount, 'DIRECT_DEBIT', fake.debit(iban))
    expect(outcome).toBe('PENDING')
    payments.push(newPayment({ intent, amount, status: 'PENDING', ending }))
  }
}

/** The bank has begun to move the money when the payer pays another way. */
function leave(amount: number): Act {
  return async ({ payments }, { payLink, fake }) => {
    const left = await payLink(amount, 'IDEAL')
    expect(left.outcome).toBe('ACTION')
    Object.assign(fake.account.intents.get(left.intent) ?? {}, { status: 'processing' })
    // The session of the payer is the same, so that they leave the bank.
    const paid = await left.payAgain('CARD', fake.card(STRIPE_CARDS.approve))
    expect(paid.outcome).toBe('COMPLETED')
    const pending = { status: 'PENDING', ending: 'SUCCESS', isLeft: true } as const
    payments.push(newPayment({ intent: left.intent, amount, ...pending }))
    payments.push(newPayment({ intent: paid.intent, amount, status: 'SUCCESS' }))
  }
}

/** A payment that took money, whatever number was drawn. */
function taken({ payments }: StripeModel, drawn: number): ModelPayment | undefined {
  const all = payments.filter(({ status }) => status === 'SUCCESS')
  return all[drawn % Math.max(1, all.length)]
}

/** What Stripe lets be refunded of a payment. */
function refundableAtStripe({ fake: { account } }: StripeWorld, intent: string): number {
  const charge = account.charges.get(account.intents.get(intent)?.latest_charge ?? '')
  return charge && !charge.disputed ? charge.amount_captured - charge.amount_refunded : 0
}

const newestRefund = ({ fake }: StripeWorld) => [...fake.account.refunds.keys()].at(-1) as string

/** All that is left when `amount` is null. */
function refund(drawn: number, amount: number | null): Act {
  return async (model, world) => {
    const payment = model.payments[drawn % Math.max(1, model.payments.length)]
    if (!payment) return
    const known = await world.client.read(await idOf(world, payment))
    const body = amount === null ? {} : { amount: formatAmount(amount) }
    const { status, json, text } = await world.client.refund(known.id, body)
    const left = amountsOf(payment).refundable
    const asked = amount ?? left
    if (left === 0 || asked > left) {
      expect([status, json.error.type], text).toEqual([400, 'INVALID_STATE'])
      return
    }
    expect(status, text).toBe(200)
    if (json.refund.status === 'DECLINED') {
      // Stripe knows what has not been read yet.
      expect(asked).toBeGreaterThan(refundableAtStripe(world, payment.intent))
      return
    }
    expect(json.refund).toMatchObject({ status: 'SUCCESS', amount: formatAmount(asked) })
    payment.refunds.push({ id: newestRefund(world), amount: asked, failed: 'NO' })
  }
}

async function idOf({ merchant }: StripeWorld, { intent }: ModelPayment): Promise<string> {
  const { json } = await merchant.api('/payments?limit=100')
  return json.payments.find((each: { gateway_reference: string }) => {
    return each.gateway_reference === intent
  }).id
}

function refundInDashboard(drawn: number, amount: number): Act {
  return async (model, world) => {
    const payment = taken(model, drawn)
    if (!payment || refundableAtStripe(world, payment.intent) < amount) return
    const { id } = world.fake.afterwards.refundInDashboard(payment.intent, amount)
    payment.reversals.push({ id, type: 'EXTERNAL_REFUND', amount, status: 'LOST', read: null })
  }
}

function dispute(drawn: number, amount: number): Act {
  return async (model, { fake }) => {
    const payment = taken(model, drawn)
    if (!payment || payment.reversals.some(({ type }) => type !== 'EXTERNAL_REFUND')) return
    const isDebit = typeOf(fake, payment) === 'sepa_debit'
    if (isDebit) {
      const { id, amount: all } = fake.afterwards.returnDebit(payment.intent)
      payment.reversals.push({ id, type: 'RETURN', amount: all, status: 'LOST', read: null })
    } else {
      const { id } = fake.afterwards.dispute(payment.intent, amount)
      payment.reversals.push({ id, type: 'DISPUTE', amount, status: 'OPEN', read: null })
    }
  }
}

function typeOf({ account }: StripeWorld['fake'], { intent }: ModelPayment): string | undefined {
  return account.methods.get(account.intents.get(intent)?.payment_method ?? '')?.type
}

function closeDispute(drawn: number, status: 'won' | 'lost' | 'under_review'): Act {
  return async ({ payments }, { fake }) => {
    const open = payments
      .flatMap(({ reversals }) => reversals)
      .filter(({ type, status: present }) => type === 'DISPUTE' && present === 'OPEN')
    const chosen = open[drawn % Math.max(1, open.length)]
    if (!chosen) return
    fake.afterwards.closeDispute(chosen.id, status)
    chosen.status = DISPUTES[status]
  }
}

const DISPUTES: Record<'won' | 'lost' | 'under_review', ModelReversal['status']> = {
  won: 'WON',
  lost: 'LOST',
  under_review: 'OPEN',
}

/** A refund of ours, or one from the dashboard, does not arrive. */
function failRefund(drawn: number): Act {
  return async ({ payments }, { fake }) => {
    const own = payments.flatMap(({ refunds }) => refunds).filter(({ failed }) => failed === 'NO')
    const external = payments
      .flatMap(({ reversals }) => reversals)
      .filter(({ type, status }) => type === 'EXTERNAL_REFUND' && status === 'LOST')
    const at = drawn % Math.max(1, own.length + external.length)
    const [mine, theirs] = [own[at], external[at - own.length]]
    if (mine) mine.failed = 'UNREAD'
    if (theirs) theirs.status = 'WON'
    const id = (mine ?? theirs)?.id
    if (id !== undefined) fake.afterwards.failRefund(id)
  }
}

const readChanges: Act = async (model, { app }) => {
  app.pass(HOUR_MS)
  await syncReversals(app.checkstand.deps)
  readAll(model)
}

const settle: Act = async (model, { app, fake }) => {
  fake.settle()
  app.pass(SETTLED_MS)
  // Settles, and then refunds what was paid beyond the price.
  for (let looks = 0; looks < 2; looks += 1) await reconcileDue(app.checkstand.deps)
  settleAll(model, (intent) => {
    const made = [...fake.account.refunds.values()].filter((each) => each.payment_intent === intent)
    expect(made).toHaveLength(1)
    return made[0]?.id as string
  })
}

const drawn = fc.nat({ max: 19 })
const amount = fc.constantFrom(100, 250, 1000)
const part = fc.constantFrom(60, 100, 250, 400)

/** Sequences of commands for `fc.asyncModelRun`. */
export function commandsOf(most: number) {
  const weigh = (weight: number, arbitrary: fc.Arbitrary<Command>) =>
    Array.from({ length: weight }, () => arbitrary)
  const kinds = Object.keys(PAYERS) as (keyof typeof PAYERS)[]
  const pays = fc
    .record({ kind: fc.constantFrom(...kinds), amount })
    .map((given) => command('pay', given, PAYERS[given.kind](given.amount)))
  return fc.commands(
    [
      ...weigh(4, pays),
      ...weigh(
        4,
        fc
          .record({ target: drawn, amount: fc.option(part) })
          .map((given) => command('refund', given, refund(given.target, given.amount))),
      ),
      ...weigh(
        2,
        fc
          .record({ target: drawn, amount: part })
          .map((given) =>
            command(
              'refund in the dashboard',
              given,
              refundInDashboard(given.target, given.amount),
            ),
          ),
      ),
      ...weigh(
        2,
        fc
          .record({ target: drawn, amount: part })
          .map((given) => command('dispute', given, dispute(given.target, given.amount))),
      ),
      ...weigh(
        2,
        fc
          .record({
            target: drawn,
            status: fc.constantFrom('won' as const, 'lost', 'under_review'),
          })
          .map((given) => command('close', given, closeDispute(given.target, given.status))),
      ),
      ...weigh(
        2,
        drawn.map((target) => command('fail a refund', { target }, failRefund(target))),
      ),
      ...weigh(3, fc.constant(command('read changes', {}, readChanges))),
      ...weigh(2, fc.constant(command('settle', {}, settle))),
    ],
    { maxCommands: most, size: 'max' },
  )
}
