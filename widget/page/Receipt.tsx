import type { CheckoutResult } from '../../shared/page-model.ts'
import { usePage } from './context.ts'
import { Sheet } from './Sheet.tsx'
import { brandName } from './methods/brands.ts'
import { Recheck } from './Waiting.tsx'

/** The receipt of a payment that succeeded (contract section 9). */
export function Receipt({ result }: { result: CheckoutResult }) {
  const { merchant, money, t } = usePage()
  return (
    <Sheet mark="done" title={t('receipt.title')}>
      <p class="amount">{money(result)}</p>
      <p class="text lead">{result.message ?? t('receipt.thanks', { merchant })}</p>
      <Facts result={result} />
      <Actions result={result} />
    </Sheet>
  )
}

/** The bank has it and takes its time: not paid yet, and nothing left to do. */
export function PendingReceipt({ result }: { result: CheckoutResult }) {
  const { merchant, money, t } = usePage()
  return (
    <Sheet mark="waiting" title={t('receipt.pending_title')}>
      <p class="amount">{money(result)}</p>
      <p class="text lead">{result.message ?? t('receipt.pending', { merchant })}</p>
      <Facts result={result} />
      <Recheck given_up="receipt.pending_later" />
      <Actions result={result} />
    </Sheet>
  )
}

/** Reference, date with zone, and how it was paid where this payer did. */
export function Facts({ result }: { result: CheckoutResult }) {
  const { merchant, moment, t } = usePage()
  const method = useMethodText(result)
  const rows: [string, string | null][] = [
    [t('receipt.paid_to'), merchant],
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
  const { t } = usePage()
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

function Actions({ result }: { result: CheckoutResult }) {
  const { checkout, merchant, t } = usePage()
  return (
    <div class="actions">
      {result.redirect !== null && (
        <a class="button" href={result.redirect}>
          {t('receipt.back', { merchant })}
        </a>
      )}
      {checkout.ready.value && (
        <button type="button" class="button quiet-button" onClick={() => window.print()}>
          {t('receipt.print')}
        </button>
      )}
    </div>
  )
}
