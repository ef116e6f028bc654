import type { RouteChange } from '../../shared/schemas/legal-entity-route.ts'
import type { LegalEntityRouteRow } from '../db/tables/legal-entities.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import { parseCurrencies } from '../legal-entities/content.ts'
import { findLegalEntity } from '../legal-entities/store.ts'
import { parseConditions, parseWhen } from './serialize.ts'

/**
 * Throws a 400 ApiError that names the member for a route that could never hold: to an archived entity,
 * in a currency that the entity does not take, through a processor that takes no payments, or with an
 * empty range of amounts. Checks the processor only where the request names it.
 */
export async function validateRoute(
  tx: Tx,
  row: LegalEntityRouteRow,
  change: Omit<RouteChange, 'position'>,
  path: string,
): Promise<void> {
  const entity = await findLegalEntity(tx, row.instance_id, row.legal_entity_id)
  if (!entity) throw invalid(`${path}.legal_entity`, 'does not exist')
  if (entity.status === 'ARCHIVED') throw invalid(`${path}.legal_entity`, 'is archived')
  const { currency, amount } = parseConditions(parseWhen(row), `${path}.when`)
  const taken = parseCurrencies(entity)
  if (taken !== null && currency?.some((code) => !taken.includes(code))) {
    throw invalid(`${path}.when.currency`, `must be of ${taken.join(', ')}, which it takes`)
  }
  if (amount && (amount.from ?? 0) > (amount.to ?? Number.MAX_SAFE_INTEGER)) {
    throw invalid(`${path}.when.amount.to`, 'must not be below from')
  }
  if (change.processor != null) await requireConnection(tx, row, `${path}.processor`)
}

async function requireConnection(
  tx: Tx,
  { instance_id, processor_id }: LegalEntityRouteRow,
  member: string,
): Promise<void> {
  const connection = await tx
    .selectFrom('processor_connections')
    .select('status')
    .where('id', '=', processor_id)
    .where('instance_id', '=', instance_id)
    .executeTakeFirst()
  if (!connection) throw invalid(member, 'does not exist')
  if (connection.status === 'DISABLED') throw invalid(member, 'is disabled')
}
