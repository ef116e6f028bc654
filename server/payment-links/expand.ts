import type { Db } from '../db/tables.ts'
import { Refusal } from '../http/refusal.ts'
import { getAccount } from '../accounts/store.ts'
import { getPaymentMethod } from '../payment-methods/store.ts'
import { getPayment, getTransaction } from '../payments/store.ts'
import type { PaymentLink } from '../../shared/schemas/payment-link.ts'

/** The relations that `expand` can turn from an id into the object (specification: Expandable). */
const LOADERS = {
  account: getAccount,
  payment: getPayment,
  payment_method: getPaymentMethod,
  transaction: getTransaction,
  // Links make neither contracts nor charges; the names are known and stay null.
  contract: undefined,
  charge: undefined,
} as const

type Expandable = keyof typeof LOADERS

/** Reads `expand=a,b`; refuses a name that a link does not have (contract section 15.4). */
export function readExpand(text: string | undefined): Expandable[] {
  if (text === undefined || text === '') return []
  return text.split(',').map((name) => {
    const trimmed = name.trim()
    if (Object.hasOwn(LOADERS, trimmed)) return trimmed as Expandable
    throw new Refusal('INVALID_REQUEST', `Cannot expand ${trimmed}`)
  })
}

/** The link with the named relations loaded. What is null stays null. */
export async function expandLink(
  db: Db,
  instanceId: string,
  link: PaymentLink,
  names: readonly Expandable[],
): Promise<PaymentLink> {
  const expanded = { ...link }
  for (const name of names) {
    const id = link[name]
    const load = LOADERS[name]
    if (typeof id !== 'string' || !load) continue
    Object.assign(expanded, { [name]: await load(db, instanceId, id) })
  }
  return expanded
}
