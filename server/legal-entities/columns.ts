import { isDeepStrictEqual } from 'node:util'
import type { LegalEntityChange } from '../../shared/schemas/legal-entity.ts'
import { foldedText } from '../db/fold-text.ts'
import { toJson } from '../db/json.ts'
import { altKeyColumns } from '../db/key-columns.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import { type LegalEntityDetails, NO_DETAILS, parseDetails } from './content.ts'

type Written = Omit<LegalEntityChange, 'default'>

const DETAILS = Object.keys(NO_DETAILS) as (keyof LegalEntityDetails)[]

/** Returns the columns that a request gives another value. A member that it leaves out is kept. */
export function changedColumns(stored: LegalEntityRow, change: Written): Partial<LegalEntityRow> {
  const { alt_key, name, legal_name, type, country, currencies } = change
  const columns: Partial<LegalEntityRow> = {
    ...(alt_key !== undefined && altKeyColumns(alt_key)),
    ...(name !== undefined && { name, name_lower: foldedText(name) }),
    ...(legal_name !== undefined && { legal_name, legal_name_lower: foldedText(legal_name) }),
    ...(type !== undefined && { type }),
    ...(country !== undefined && { country }),
    ...(currencies !== undefined && { currencies: toJson(currencies) }),
    ...changedDetails(stored, change),
  }
  const isChanged = ([column, value]: [string, unknown]) =>
    value !== stored[column as keyof LegalEntityRow]
  return Object.fromEntries(Object.entries(columns).filter(isChanged))
}

function changedDetails(stored: LegalEntityRow, change: Written): { details?: string } {
  const before = parseDetails(stored)
  const given = DETAILS.filter((member) => change[member] !== undefined)
  const details = {
    ...before,
    ...Object.fromEntries(given.map((member) => [member, change[member]])),
  }
  return isDeepStrictEqual(before, details) ? {} : { details: JSON.stringify(details) }
}
