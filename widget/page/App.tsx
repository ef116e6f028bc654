import { enter, thisPage } from './context.ts'
import type { PageContext } from './context.ts'
import { Form } from './Form.tsx'
import { Expired, Unavailable } from './Gone.tsx'
import { WhisperRegion } from './Notices.tsx'
import { Order } from './Order.tsx'
import { PendingReceipt, Receipt } from './Receipt.tsx'
import { faceOf } from './face.ts'
import type { Face as FaceName } from './face.ts'
import { BankStep, Busy, Checking, Leaving, Unsure } from './Waiting.tsx'

/** The whole page: the frame that every state shares, and the state. */
export function App(page: PageContext) {
  enter(page)
  const { checkout, t } = thisPage()
  const face = faceOf(checkout)
  return (
    <div class={face === 'FORM' ? 'page paying' : 'page'}>
      {checkout.model.test_mode && (
        <header class="ribbon">
          <strong>{t('checkout.test_mode')}</strong> {t('checkout.test_mode_hint')}
        </header>
      )}
      <WhisperRegion />
      <main>
        <Face face={face} />
      </main>
    </div>
  )
}

function Face({ face }: { face: FaceName }) {
  const { result } = thisPage().checkout.checkout.value
  switch (face) {
    case 'FORM':
      return (
        <div class="columns">
          <Order />
          <Form />
        </div>
      )
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
