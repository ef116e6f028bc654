import { expect } from 'vitest'
import { firstRoute, type RouteFacts } from '../../shared/rules/legal-entity-route.ts'
import { parseConditions, parseWhen } from '../../server/legal-entity-routes/serialize.ts'
import type { LedgerRows } from './books.ts'

/** To whom the money of a merchant belongs. */

type Payment = LedgerRows['payments'][number]

/**
 * Whatever follows a payment belongs to the same legal entity, and shows the same of it. A payment belongs
 * to the one to which its charges are owed, else to the one that the routes say.
 */
export function expectPayees(books: LedgerRows): void {
  const { payments, refunds, charges, contracts, entityVersions } = books
  const owners = new Map(
    [...payments, ...contracts].map((row) => [row.id, row.legal_entity_id] as const),
  )
  const shown = new Map(entityVersions.map((row) => [row.key, row.legal_entity_id]))
  for (const payment of payments) {
    const { id, legal_entity_id: owner, legal_entity_version: version } = payment
    expect([id, version === null ? null : shown.get(version)]).toEqual([id, owner])
    expect([id, owner]).toEqual([id, expectedPayee(payment, books)])
  }
  for (const { id, refunded_id, legal_entity_id: owner } of refunds) {
    expect([id, owner]).toEqual([id, owners.get(refunded_id)])
  }
  for (const { id, contract_id, legal_entity_id: owner } of charges) {
    if (contract_id !== null) expect([id, owner]).toEqual([id, owners.get(contract_id)])
  }
}

function expectedPayee(payment: Payment, books: LedgerRows): string | null {
  const followed = books.payments.find(({ id }) => id === payment.authorisation_id)
  if (followed) return followed.legal_entity_id
  const paid = books.parts.filter(({ payment_id: of }) => of === payment.id)
  const owed = new Set(
    paid.map(({ charge_id: of }) => books.charges.find(({ id }) => id === of)?.legal_entity_id),
  )
  const [only] = owed
  return owed.size === 1 && only != null ? only : routedPayee(payment, books)
}

function routedPayee({ amount, currency }: Payment, books: LedgerRows): string | null {
  const routes = books.routes.map((row) => ({
    when: parseConditions(parseWhen(row)),
    processor: row.processor_id,
    currencies: null,
    enabled: row.enabled === 1,
    entity: row.legal_entity_id,
  }))
  const facts: RouteFacts = {
    currency,
    country: null,
    channel: null,
    branding: null,
    source: 'ECOMMERCE',
    account_tags: [],
    amount,
    processor: undefined,
  }
  const outcome = firstRoute(routes, facts)
  if (typeof outcome === 'object') return outcome.route.entity
  return books.entities.find(({ is_default }) => is_default === 1)?.id ?? null
}
