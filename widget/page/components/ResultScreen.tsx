import type { ShownResult } from '../../../shared/page-model.ts'
import { thisPage } from '../page-context.ts'
import type { Face } from '../screen.ts'
import { Expired, Unavailable } from './LinkUnavailable.tsx'
import { PendingReceipt, Receipt } from './Receipt.tsx'
import { BankStep, Busy, Checking, Leaving, Unsure } from './InProgress.tsx'

/** What stands in place of the form: receipts, waits, and the ends of a link. */
export function ResultScreen({ face }: { face: Exclude<Face, 'FORM'> }) {
  // Somebody else's payment may come without an amount, and has a face that shows nothing of it.
  const result = thisPage().checkout.checkout.value.result as ShownResult | null
  switch (face) {
    case 'RECEIPT':
      return result && <Receipt result={result} />
    case 'PENDING':
      return result && <PendingReceipt result={result} />
    case 'BANK':
      return result && <BankStep result={result} />
    case 'CHECKING':
      return <Checking result={result} />
    case 'TO_BANK':
    case 'TO_MERCHANT':
      return <Leaving />
    case 'UNSURE':
      return <Unsure />
    case 'BUSY':
      return <Busy />
    case 'EXPIRED':
      return <Expired />
    case 'UNAVAILABLE':
      return <Unavailable />
  }
}
