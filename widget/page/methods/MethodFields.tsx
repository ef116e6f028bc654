import { thisPage } from '../page-context.ts'
import { chunk } from '../chunks.ts'
import { CardFields } from './CardFields.tsx'

/** What the payer fills in for a new method; `method` is its key in the radio group. */
export function MethodFields({ method }: { method: string }) {
  const Debit = chunk('direct-debit')?.DirectDebitFields
  switch (method) {
    case 'sandbox-CARD':
      return <CardFields />
    case 'sandbox-DIRECT_DEBIT':
      return Debit ? <Debit /> : null
    case 'sandbox-BANK_TRANSFER':
      return <TransferNote />
    default:
      return null
  }
}

/** Nothing to type: what will happen next is said before it happens. */
function TransferNote() {
  const { t } = thisPage()
  return <p class="note">{t('methods.bank_transfer_note')}</p>
}
