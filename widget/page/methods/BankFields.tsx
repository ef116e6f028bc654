import { useEffect } from 'preact/hooks'
import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { AutofillField } from '../form-field/FormField.tsx'
import { usePage } from '../page-context.ts'
import { prepareDebit } from './stripe-debit.ts'

/** Names of companies, which no language translates. */
const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe' }

/** What the payer enters or reads for a method of a bank that a connected processor offers. */
export function BankFields({ offered }: { offered: OfferedMethod }) {
  const { t } = usePage()
  if (offered.type === 'DIRECT_DEBIT') return <Debit offered={offered} />
  return <p class="note">{t('methods.bank_transfer_note')}</p>
}

/** The account of a direct debit, and what the payer authorizes. */
function Debit({ offered }: { offered: OfferedMethod }) {
  const { checkout, merchant, t } = usePage()
  const connected = checkout.model.processors?.[offered.processor]
  const AccountFields = chunk('pay')?.MethodFields
  const isLoaded = chunk('framed-card') !== undefined

  useEffect(() => {
    if (isLoaded) prepareDebit(connected)
  }, [connected, isLoaded])

  const processor = PROVIDERS[connected?.name ?? ''] ?? ''
  return (
    <>
      {AccountFields && <AccountFields offered={offered} />}
      <div class="card-fields mandate">
        {/* The page does not know the address of a fixed account. */}
        {!checkout.checkout.value.details.needed && (
          <AutofillField name="email" label="details.email" token="email" />
        )}
        <p class="note">{t('methods.sepa_mandate', { merchant, processor })}</p>
      </div>
    </>
  )
}
