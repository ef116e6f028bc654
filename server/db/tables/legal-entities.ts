import type { Selectable } from 'kysely'

export interface LegalEntitiesTable {
  id: string
  instance_id: string
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  name: string | null
  name_lower: string | null
  legal_name: string
  legal_name_lower: string | null
  type: 'ORGANISATION' | 'SOLE_TRADER' | 'INDIVIDUAL'
  country: string
  /** JSON array of codes; null for all. */
  currencies: string | null
  /** JSON object of the members that no query reads. */
  details: string
  /** Key of its present version. */
  version: string
  /** 1 on one entity of each instance that has any. */
  is_default: number
  status: 'ACTIVE' | 'ARCHIVED'
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type LegalEntityRow = Selectable<LegalEntitiesTable>

/** What payers see of an entity, kept for the sessions and payments that show it. Never deleted. */
export interface LegalEntityVersionsTable {
  /** The beginning of the SHA-256 of id and content, base64url. */
  key: string
  instance_id: string
  legal_entity_id: string
  content: string
  created: string
}

export interface LegalEntityRoutesTable {
  id: string
  instance_id: string
  /** From 1, without gaps. */
  position: number
  legal_entity_id: string
  /** JSON object, with amounts in major units. */
  conditions: string
  processor_id: string | null
  enabled: number
  description: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type LegalEntityRouteRow = Selectable<LegalEntityRoutesTable>
