import type { RouteConditions } from '../../shared/rules/legal-entity-route.ts'
import type { LegalEntityRouteRecord } from '../../shared/schemas/legal-entity-route.ts'
import { parseMinorUnits } from '../amount.ts'
import type { LegalEntityRouteRow } from '../db/tables/legal-entities.ts'

type When = LegalEntityRouteRecord['when']

export function parseWhen(row: Pick<LegalEntityRouteRow, 'conditions'>): When {
  return JSON.parse(row.conditions) as When
}

/** Returns the conditions with amounts in minor units. Throws a 400 ApiError that names a bad amount. */
export function parseConditions(when: When, path = 'when'): RouteConditions {
  const { amount, ...others } = when
  if (amount === undefined) return others
  const { from, to, currency } = amount
  const minor = (member: 'from' | 'to', text: string | undefined) =>
    text === undefined ? undefined : parseMinorUnits(`${path}.amount.${member}`, text, currency)
  return { ...others, amount: { from: minor('from', from), to: minor('to', to), currency } }
}

export function serializeRoute(row: LegalEntityRouteRow): LegalEntityRouteRecord {
  return {
    id: row.id,
    position: row.position,
    legal_entity: row.legal_entity_id,
    when: parseWhen(row),
    processor: row.processor_id,
    enabled: row.enabled === 1,
    description: row.description,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
