import type { ShownResult } from '../../shared/page-model.ts'
import { enter, thisPage } from './context.ts'
import type { PageContext } from './context.ts'
import { Form } from './Form.tsx'
import { WhisperRegion } from './Notices.tsx'
import { Order } from './Order.tsx'
import { faceOf } from './face.ts'
import type { Face as FaceName } from './face.ts'
import { part } from './parts.ts'
import { titleOf } from './title.ts'

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
  if (face === 'FORM') {
    return (
      <div class="columns">
        <Order />
        <Form />
      </div>
    )
  }
  return <Afterwards face={face} />
}

function Afterwards({ face }: { face: Exclude<FaceName, 'FORM'> }) {
  // Somebody else's payment may come without an amount, and has a face that shows nothing of it.
  const result = thisPage().checkout.checkout.value.result as ShownResult | null
  const faces = part('afterwards')
  if (faces === undefined) return <Title />
  switch (face) {
    case 'RECEIPT':
      return result && <faces.Receipt result={result} />
    case 'PENDING':
      return result && <faces.PendingReceipt result={result} />
    case 'BANK':
      return result && <faces.BankStep result={result} />
    case 'CHECKING':
      return <faces.Checking result={result} />
    case 'TO_BANK':
    case 'TO_MERCHANT':
      return <faces.Leaving />
    case 'UNSURE':
      return <faces.Unsure />
    case 'BUSY':
      return <faces.Busy />
    case 'EXPIRED':
      return <faces.Expired />
    case 'UNAVAILABLE':
      return <faces.Unavailable />
  }
}

/** The news itself, for the moment in which the rest is still being fetched. */
function Title() {
  const { checkout } = thisPage()
  return (
    <section class="sheet">
      <h1 tabIndex={-1}>{titleOf(checkout.checkout.value, faceOf(checkout))}</h1>
    </section>
  )
}
