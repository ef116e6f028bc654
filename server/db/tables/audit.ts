import type { Selectable } from 'kysely'
import type { AuditAction, AuditActorType } from '../../../shared/rules/audit-actions.ts'

/** Rows are written and pruned, and never changed. */
export interface AuditTable {
  id: string
  merchant_id: string
  /** Null for what concerns all instances of the merchant, such as a sign-in. */
  instance_id: string | null
  actor_type: AuditActorType
  actor_id: string | null
  /** As it was then. */
  actor_name: string | null
  /** Folded, for criteria. */
  actor_name_lower: string | null
  action: AuditAction
  about: string | null
  ip: string | null
  /** JSON object. */
  detail: string
  created: string
}

export type AuditRow = Selectable<AuditTable>
