import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { findAccount, findAccountByCrmKey, type AccountRow } from '../accounts/store.ts'
import { fromJson } from '../db/json.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import type { Deps } from '../deps.ts'
import { requireLegalEntity } from '../legal-entities/require.ts'
import { findIssuingCountry } from '../legal-entity-routes/issuing-country.ts'
import { type Payee, resolvePayee } from '../legal-entity-routes/resolve.ts'
import { findPaymentMethod } from '../payment-methods/store.ts'
import type { ParsedPaymentRequest } from './parse-request.ts'
import { resolveMethod } from './payment-method.ts'

type PayeeDeps = Pick<Deps, 'db' | 'now'>

type RequestDeps = Pick<Deps, 'db' | 'now' | 'processors' | 'log'>

/**
 * Returns to whom a requested payment belongs: the entity that the request names, else the one of all
 * charges that it pays, else that of the routes. Undefined while the instance has no legal entities.
 * Throws a 400 ApiError for a name that cannot be used.
 */
export async function resolveRequestedPayee(
  deps: RequestDeps,
  instance: Instance,
  request: PaymentRequest,
  parsed: ParsedPaymentRequest,
): Promise<Payee | undefined> {
  const { currency } = parsed
  if (request.legal_entity != null) {
    const member = 'payment.legal_entity'
    const asked = { id: request.legal_entity, currency, member }
    await requireLegalEntity(deps.db, instance.id, asked)
  }
  if (instance.legal_entities_version === 0) return undefined
  const chosen = request.legal_entity ?? (await findEntityOfCharges(deps, instance, parsed))
  const stored = await findStored(deps, instance, request)
  const account = await findPayer(deps, instance, request, stored)
  const newMethod = typeof request.payment_method === 'object' ? request.payment_method : undefined
  const entered = typeof request.account === 'object' ? request.account : null
  const payee = await resolvePayee(
    deps,
    instance,
    {
      currency,
      country: entered?.address?.country ?? countryOf(account) ?? stored?.country ?? undefined,
      channel: request.channel ?? null,
      branding: null,
      source: request.source ?? (parsed.recurring ? 'RECURRING' : 'ECOMMERCE'),
      account_tags: parseTags(entered?.tags ?? account?.tags),
      amount: parsed.amount,
      processor: stored?.processor ?? newMethod?.processor ?? undefined,
    },
    {
      chosen,
      findCountry: async () => {
        if (!newMethod) return null
        const { processor, charge } = await resolveMethod(deps, instance, newMethod, parsed, null)
        return findIssuingCountry(deps, processor, charge)
      },
    },
  )
  return payee === 'UNDECIDED' ? undefined : payee
}

/** Returns the tags of an account, which are stored as one text. */
export function parseTags(tags: string | null | undefined): string[] {
  return (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** Returns the country of an account's address, as it was given. */
export function countryOf(account: Pick<AccountRow, 'address'> | undefined): string | undefined {
  const address = fromJson<{ country?: string | null }>(account?.address ?? null)
  return address?.country ?? undefined
}

/** Returns the entity to which every charge of a request belongs; undefined when they differ. */
async function findEntityOfCharges(
  { db }: PayeeDeps,
  instance: Instance,
  { parts }: ParsedPaymentRequest,
): Promise<string | undefined> {
  if (parts.length === 0) return undefined
  const rows = await db
    .selectFrom('charges')
    .select('legal_entity_id')
    .distinct()
    .where('instance_id', '=', instance.id)
    .where(
      'id',
      'in',
      parts.map(({ charge }) => charge),
    )
    .execute()
  return rows.length === 1 ? (rows[0]?.legal_entity_id ?? undefined) : undefined
}

async function findStored(
  { db, now }: PayeeDeps,
  instance: Instance,
  { payment_method: method }: PaymentRequest,
): Promise<PaymentMethodRow | undefined> {
  return typeof method === 'string' ? findPaymentMethod(db, instance.id, method, now()) : undefined
}

async function findPayer(
  { db }: PayeeDeps,
  instance: Instance,
  { account }: PaymentRequest,
  stored: PaymentMethodRow | undefined,
): Promise<AccountRow | undefined> {
  const id = account == null ? stored?.account_id : account
  if (typeof id === 'string') return findAccount(db, instance.id, id)
  return id?.crm_key == null ? undefined : findAccountByCrmKey(db, instance.id, id.crm_key)
}
