import type { ShownResult } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'
import { CheckAgain } from './CheckAgain.tsx'
import { PaymentDetails } from './PaymentDetails.tsx'
import { Price } from './Price.tsx'
import { StatusCard } from './StatusCard.tsx'

export function Receipt({ result }: { result: ShownResult }) {
  const { formatMoney, merchant, t } = usePage()
  const SavedMethodNotice = chunk('saved-methods')?.SavedMethodNotice
  return (
    <StatusCard icon="done" title={t('receipt.title')}>
      <Price text={formatMoney(result)} />
      <p class="text lead">{result.message ?? t('receipt.thanks', { merchant })}</p>
      {result.receipt_to && (
        <p class="text lead">{t('receipt.sent_to', { email: result.receipt_to })}</p>
      )}
      <PaymentDetails result={result} />
      <Actions result={result} />
      {SavedMethodNotice && <SavedMethodNotice />}
    </StatusCard>
  )
}

/** The bank has accepted the payment and has not completed it yet. */
export function PendingReceipt({ result }: { result: ShownResult }) {
  const { formatMoney, merchant, t } = usePage()
  return (
    <StatusCard icon="waiting" title={t('receipt.pending_title')}>
      <Price text={formatMoney(result)} />
      <p class="text lead">{result.message ?? t('receipt.pending', { merchant })}</p>
      <PaymentDetails result={result} />
      <CheckAgain stopped="receipt.pending_later" />
      <Actions result={result} />
    </StatusCard>
  )
}

function Actions({ result }: { result: ShownResult }) {
  const { checkout, merchant, t } = usePage()
  const { deep_link } = checkout.checkout.value
  return (
    <div class="actions">
      {result.redirect !== null && (
        <a class="button" href={result.redirect}>
          {t('receipt.back', { merchant })}
        </a>
      )}
      {/* The page then opens another session in this tab, instead of showing this receipt. */}
      {deep_link && (
        <a
          class="button secondary"
          href={deep_link}
          onClick={() => sessionStorage.removeItem(`checkstand.${deep_link}/checkouts`)}
        >
          {t('receipt.again')}
        </a>
      )}
      {checkout.hydrated.value && !checkout.framed && (
        <button type="button" class="button secondary" onClick={() => window.print()}>
          {t('receipt.print')}
        </button>
      )}
    </div>
  )
}
