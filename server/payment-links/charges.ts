import { isDeepStrictEqual } from 'node:util'
import type { ChargeRow } from '../db/tables/charges.ts'
import type { Instance } from '../db/tables/instances.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { outstanding } from '../charges/serialize.ts'
import { listChargesByIds, lookupCharge } from '../charges/store.ts'
import type { Db, Tx } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { LinkContent } from './content.ts'

// The charges that a link pays (`options.charges`).

/** The charges of a link as they are now. */
export interface LinkCharges {
  currency: string
  /** Those that can be paid now, in the order of the options. */
  due: DueCharge[]
  /** Some of them are being paid right now. */
  isBusy: boolean
}

export interface DueCharge {
  charge: ChargeRow
  /** What is outstanding and not being paid, in minor units. */
  amount: number
}

/** Returns undefined for a link that names no charges. */
export async function findLinkCharges(
  db: Db | Tx,
  instanceId: string,
  options: PaymentLinkOptions,
): Promise<LinkCharges | undefined> {
  const ids = options.charges
  if (ids == null) return undefined
  const rows = new Map(
    (await listChargesByIds(db, instanceId, ids)).map((charge) => [charge.id, charge]),
  )
  const payable = ids.flatMap((id) => {
    const charge = rows.get(id)
    const isActive = charge?.status === 'ACTIVE' && charge.cancelling === 0
    return isActive && charge.account_id === options.account ? [charge] : []
  })
  const [first] = rows.values()
  return {
    currency: first?.currency ?? options.currency ?? '',
    due: payable
      .map((charge) => ({ charge, amount: outstanding(charge) - charge.in_flight_amount }))
      .filter(({ amount }) => amount > 0),
    isBusy: payable.some(({ in_flight_amount }) => in_flight_amount > 0),
  }
}

/** Returns the options of a link with the present sum of its charges, unless nothing is due. */
export async function readPayableOptions(
  db: Db | Tx,
  instanceId: string,
  options: PaymentLinkOptions,
): Promise<PaymentLinkOptions> {
  const charges = await findLinkCharges(db, instanceId, options)
  if (!charges) return options
  const { currency, due } = charges
  return due.length === 0 ? { ...options, currency } : withSum(options, currency, due)
}

/** Returns the options of a link with the sum of its charges as the fixed amount. */
export function withSum(
  options: PaymentLinkOptions,
  currency: string,
  parts: readonly { amount: number }[],
): PaymentLinkOptions {
  return { ...options, currency, amount: amountText(sumOf(parts), currency) }
}

function sumOf(parts: readonly { amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Returns the content of a link with the ids of its charges. Throws a 400 ApiError that names the
 * member for a charge that the link cannot pay. Charges that the edit did not change are not
 * checked again, because they may have been paid since.
 */
export async function resolveCharges(
  db: Db | Tx,
  instance: Instance,
  before: LinkContent | undefined,
  after: LinkContent,
): Promise<LinkContent> {
  const { options } = after
  if (options.charges == null || isUnchanged(before?.options, options)) return after
  const { account } = options
  if (typeof account !== 'string') {
    throw invalid('payment_link.options.account', 'must be an account id beside charges')
  }
  const found: ChargeRow[] = []
  for (const [at, idOrKey] of options.charges.entries()) {
    const member = `payment_link.options.charges.${at}`
    const charge = await resolveCharge(db, instance.id, idOrKey, member)
    if (found.some(({ id }) => id === charge.id)) throw invalid(member, 'is named twice')
    const problem = chargeProblem(charge, account, options.currency ?? found[0]?.currency)
    if (problem !== undefined) throw invalid(member, problem)
    found.push(charge)
  }
  return { ...after, options: { ...options, charges: found.map(({ id }) => id) } }
}

function isUnchanged(before: PaymentLinkOptions | undefined, after: PaymentLinkOptions): boolean {
  return (['charges', 'account', 'currency'] as const).every((member) =>
    isDeepStrictEqual(before?.[member], after[member]),
  )
}

async function resolveCharge(
  db: Db | Tx,
  instanceId: string,
  idOrKey: string,
  member: string,
): Promise<ChargeRow> {
  try {
    return await lookupCharge(db, instanceId, idOrKey)
  } catch (error) {
    // A 404 would mean the link's own path.
    const isUnknown = error instanceof ApiError && error.type === 'NOT_FOUND'
    throw isUnknown ? invalid(member, 'does not exist') : error
  }
}

/** Returns the rule that a charge of a link breaks. Without `currency`, any is right. */
export function chargeProblem(
  charge: ChargeRow,
  account: string,
  currency: string | undefined,
): string | undefined {
  if (charge.account_id !== account) return 'belongs to another account'
  if (charge.status !== 'ACTIVE' || charge.cancelling === 1) {
    const status = charge.cancelling === 1 ? 'CANCELLED' : charge.status
    return `is ${status} and cannot be paid`
  }
  const isOther = currency !== undefined && charge.currency !== currency
  return isOther ? `is in ${charge.currency}, not in ${currency}` : undefined
}
