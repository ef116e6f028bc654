import type { ShownResult } from '../../../shared/page-model.ts'
import { thisPage } from '../page-context.ts'
import { StatusCard } from './StatusCard.tsx'
import { PaymentDetails } from './PaymentDetails.tsx'
import { Price } from './Price.tsx'
import { CheckAgain } from './CheckAgain.tsx'
import { chunk } from '../chunks.ts'

/** The receipt of a payment that succeeded (contract section 9). */
export function Receipt({ result }: { result: ShownResult }) {
  const { merchant, money, t } = thisPage()
  const Saved = chunk('remove-saved')?.SavedMethodNotice
  return (
    <StatusCard mark="done" title={t('receipt.title')}>
      <Price text={money(result)} />
      <p class="text lead">{result.message ?? t('receipt.thanks', { merchant })}</p>
      <PaymentDetails result={result} />
      <Actions result={result} />
      {Saved && <Saved />}
    </StatusCard>
  )
}

/** The bank has it and takes its time: not paid yet, and nothing left to do. */
export function PendingReceipt({ result }: { result: ShownResult }) {
  const { merchant, money, t } = thisPage()
  return (
    <StatusCard mark="waiting" title={t('receipt.pending_title')}>
      <Price text={money(result)} />
      <p class="text lead">{result.message ?? t('receipt.pending', { merchant })}</p>
      <PaymentDetails result={result} />
      <CheckAgain given_up="receipt.pending_later" />
      <Actions result={result} />
    </StatusCard>
  )
}

function Actions({ result }: { result: ShownResult }) {
  const { checkout, merchant, t } = thisPage()
  return (
    <div class="actions">
      {result.redirect !== null && (
        <a class="button" href={result.redirect}>
          {t('receipt.back', { merchant })}
        </a>
      )}
      {checkout.ready.value && !checkout.framed && (
        <button type="button" class="button quiet-button" onClick={() => window.print()}>
          {t('receipt.print')}
        </button>
      )}
    </div>
  )
}
