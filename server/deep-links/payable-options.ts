import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { outstanding } from '../charges/serialize.ts'
import { listChargesByIds, listOwedCharges } from '../charges/store.ts'
import { fromJson } from '../db/json.ts'
import type { ChargeRow } from '../db/tables/charges.ts'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Db } from '../db/tables.ts'
import { type Prefill, withPrefill } from './prefill.ts'
import { parseOptions } from './validate.ts'

/** As many as a payment link pays. */
const CHARGES_MAX = 20

/** Returns the options that the next payment of a deep link has, with what its address fills in. */
export async function payableOptions(
  db: Db,
  deepLink: DeepLinkRow,
  { default_currency }: Pick<Instance, 'default_currency'>,
  prefill: Prefill | null,
): Promise<PaymentLinkOptions> {
  const options = parseOptions(deepLink)
  const owed = await owedOptions(db, deepLink, default_currency)
  return withPrefill({ ...options, ...owed }, prefill, default_currency)
}

/**
 * Returns the options that name the charges which the customer of `PAY_CHARGES` owes: those of one
 * currency, at most 20, those that are due first.
 */
async function owedOptions(
  db: Db,
  deepLink: DeepLinkRow,
  defaultCurrency: string,
): Promise<Pick<PaymentLinkOptions, 'account' | 'currency' | 'charges'>> {
  if (deepLink.action !== 'PAY_CHARGES' || deepLink.account_id === null) return {}
  const owed = await listCharges(db, deepLink)
  const currency = owed[0]?.currency ?? defaultCurrency
  const charges = owed.filter((charge) => charge.currency === currency).slice(0, CHARGES_MAX)
  return { account: deepLink.account_id, currency, charges: charges.map(({ id }) => id) }
}

/** Lists the charges that can be paid now before those that cannot, which show what was paid. */
async function listCharges(db: Db, deepLink: DeepLinkRow): Promise<ChargeRow[]> {
  const { instance_id, account_id, charges } = deepLink
  const ids = fromJson<string[]>(charges)
  if (!ids) return listOwedCharges(db, instance_id, account_id as string)
  const rows = await listChargesByIds(db, instance_id, ids)
  const isOwed = (row: ChargeRow) => row.status === 'ACTIVE' && outstanding(row) > 0
  const place = (row: ChargeRow) => ids.indexOf(row.id) + (isOwed(row) ? 0 : ids.length)
  return rows.toSorted((a, b) => place(a) - place(b))
}
