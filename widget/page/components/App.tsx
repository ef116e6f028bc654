import { enter, type PageContext, thisPage } from '../page-context.ts'
import { PaymentForm } from './PaymentForm.tsx'
import { WhisperRegion } from './Notices.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import { type Face as FaceName, faceOf } from '../screen.ts'
import { chunk } from '../chunks.ts'
import { titleOf } from '../title.ts'

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
        <OrderSummary />
        <PaymentForm />
      </div>
    )
  }
  const ResultScreen = chunk('result')?.ResultScreen
  return ResultScreen ? <ResultScreen face={face} /> : <Title />
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
