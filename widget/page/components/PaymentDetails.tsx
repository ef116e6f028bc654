import type { CheckoutResult } from '../../../shared/page-model.ts'
import { thisPage } from '../page-context.ts'
import { brandName } from '../methods/brands.ts'

/** What was paid for and to whom, both references, the date, and how where this payer did. */
export function PaymentDetails({ result }: { result: CheckoutResult }) {
  const { checkout, merchant, moment, t } = thisPage()
  const { name } = checkout.checkout.value.terms
  const method = useMethodText(result)
  const rows: [string, string | null][] = [
    [t('receipt.paid_to'), merchant],
    [t('receipt.name'), name === merchant ? null : name],
    [t('checkout.reference'), result.alt_key],
    [t('receipt.reference'), result.reference],
    [t('receipt.date'), moment(result.date)],
    [t('receipt.method'), method],
  ]
  return (
    <dl class="facts rows">
      {rows.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function useMethodText({ method }: CheckoutResult): string | null {
  const { t } = thisPage()
  if (method === null) return null
  const name =
    brandName(method.brand) ??
    t(
      method.type === 'DIRECT_DEBIT'
        ? 'methods.direct_debit'
        : method.type === 'BANK_TRANSFER'
          ? 'methods.bank_transfer'
          : 'methods.card',
    )
  return method.last4 === null ? name : t('methods.ending', { name, digits: method.last4 })
}
