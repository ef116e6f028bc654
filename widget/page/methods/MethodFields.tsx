import type { ComponentType } from 'preact'
import { BankFields, TransferNote } from './BankFields.tsx'
import { CardFields } from './CardFields.tsx'

/** The fields of a method by its processor and type, beside its checks in `index.ts`. */
const FIELDS: Readonly<Record<string, ComponentType>> = {
  'sandbox-CARD': CardFields,
  'sandbox-DIRECT_DEBIT': BankFields,
  'sandbox-BANK_TRANSFER': TransferNote,
}

/** What the payer fills in for a new method; `method` is its key in the radio group. */
export function MethodFields({ method }: { method: string }) {
  const Fields = FIELDS[method]
  return Fields ? <Fields /> : null
}
