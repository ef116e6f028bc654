import type { ResultScreenState } from '../chunks.ts'
import css from '../style/result.css?inline'
import { BankStep, Busy, Checking, Redirecting, Unconfirmed } from './InProgress.tsx'
import { Expired, Settled, Unavailable } from './LinkUnavailable.tsx'
import { PendingReceipt, Receipt } from './Receipt.tsx'

// The policy of the page allows no further style element, and `@media all` makes one rule of all.
if (typeof document !== 'undefined') {
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}

/** The screens other than the form. */
export function ResultScreen({ screen }: { screen: ResultScreenState }) {
  switch (screen.kind) {
    case 'receipt':
      return <Receipt result={screen.result} />
    case 'pending':
      return <PendingReceipt result={screen.result} />
    case 'bank':
      return <BankStep result={screen.result} />
    case 'checking':
      return <Checking result={screen.result} />
    case 'redirecting':
      return <Redirecting redirect={screen.redirect} />
    case 'unconfirmed':
      return <Unconfirmed />
    case 'busy':
      return <Busy />
    case 'expired':
      return <Expired />
    case 'unavailable':
      return <Unavailable />
    case 'settled':
      return <Settled />
  }
}
