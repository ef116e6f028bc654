import type { CheckoutResult } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { intlLanguage } from '../../../shared/rules/wording.ts'
import { brandName } from '../methods/brands.ts'
import { methodName } from '../methods/method-name.ts'
import { usePage } from '../page-context.ts'

/** The table of a receipt; rows without a value are left out. */
export function PaymentDetails({ result }: { result: CheckoutResult }) {
  const page = usePage()
  const { checkout, formatDateTime, formatMoney, language, merchant, t } = page
  const owed = chunk('owed')
  const { name } = checkout.checkout.value.terms
  const rows: [string, string | null][] = [
    [t('receipt.paid_to'), merchant],
    [t('receipt.name'), name === merchant ? null : name],
    [t('checkout.quantity'), quantityText()],
    [t('checkout.comment'), result.description ?? null],
    [t('checkout.reference'), result.alt_key],
    [t('receipt.reference'), result.reference],
    [t('receipt.date'), result.date && formatDateTime(result.date)],
    [t('receipt.method'), methodText()],
    ...(owed ? owed.contractRows(page, result) : []),
  ]

  function quantityText(): string | null {
    const { quantity, unit_amount } = result
    if (quantity === undefined || unit_amount === undefined) return null
    const count = new Intl.NumberFormat(intlLanguage(language)).format(quantity)
    return `${count} × ${formatMoney({ ...result, amount: unit_amount })}`
  }

  function methodText(): string | null {
    const { method } = result
    if (method === null) return null
    const label = brandName(method.brand) ?? methodName(method.type, t)
    return method.last4 === null
      ? label
      : t('methods.ending', { name: label, digits: method.last4 })
  }

  return (
    <>
      {owed && <owed.ChargeList charges={result.charges} />}
      <dl class="properties rows">
        {rows.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  )
}
