import type { ShownResult } from '../../shared/page-model.ts'
import { thisPage } from './context.ts'
import { Sheet } from './Sheet.tsx'
import { Facts } from './Facts.tsx'
import { Price } from './Price.tsx'
import { Recheck } from './Recheck.tsx'
import { part } from './parts.ts'

/** The receipt of a payment that succeeded (contract section 9). */
export function Receipt({ result }: { result: ShownResult }) {
  const { merchant, money, t } = thisPage()
  const Saved = part('removal')?.SavedInSession
  return (
    <Sheet mark="done" title={t('receipt.title')}>
      <Price text={money(result)} />
      <p class="text lead">{result.message ?? t('receipt.thanks', { merchant })}</p>
      <Facts result={result} />
      <Actions result={result} />
      {Saved && <Saved />}
    </Sheet>
  )
}

/** The bank has it and takes its time: not paid yet, and nothing left to do. */
export function PendingReceipt({ result }: { result: ShownResult }) {
  const { merchant, money, t } = thisPage()
  return (
    <Sheet mark="waiting" title={t('receipt.pending_title')}>
      <Price text={money(result)} />
      <p class="text lead">{result.message ?? t('receipt.pending', { merchant })}</p>
      <Facts result={result} />
      <Recheck given_up="receipt.pending_later" />
      <Actions result={result} />
    </Sheet>
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
