import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Tx } from '../db/tables.ts'
import { updateEntityAndRecord } from './update-entity.ts'

/** Takes the default from the entity that has it. The caller gives it to another one. */
export async function moveDefault(
  tx: Tx,
  entities: readonly LegalEntityRow[],
  at: { by: string; now: number },
): Promise<void> {
  const present = entities.find(({ is_default }) => is_default === 1)
  if (present) await updateEntityAndRecord(tx, present, { is_default: 0 }, at)
}
