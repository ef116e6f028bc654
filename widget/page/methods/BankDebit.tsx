import { useEffect } from 'preact/hooks'
import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { AutofillField } from '../form-field/FormField.tsx'
import { usePage } from '../page-context.ts'
import { prepareDebit } from './stripe-debit.ts'

const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe' }

/** A direct debit of a connected processor: the account, and what the payer authorizes. */
export function BankDebit({ offered }: { offered: OfferedMethod }) {
  const { checkout, merchant, t } = usePage()
  const { model } = checkout
  const processor = model.processors?.[offered.processor]
  const DirectDebitFields = chunk('pay')?.DirectDebitFields
  const isLoaded = chunk('framed-card') !== undefined

  useEffect(() => {
    if (isLoaded) prepareDebit(processor)
  }, [processor, isLoaded])

  return (
    <>
      {DirectDebitFields && <DirectDebitFields offered={offered} />}
      <div class="card-fields mandate">
        {/* The account of the link has an address, but the page may not know it. */}
        {!checkout.checkout.value.details.needed && (
          <AutofillField name="email" label="details.email" token="email" />
        )}
        <p class="note">
          {t('methods.sepa_mandate', {
            merchant,
            processor: PROVIDERS[processor?.name ?? ''] ?? '',
          })}
        </p>
      </div>
    </>
  )
}
