import { enter, type PageContext, thisPage } from './context.ts'
import { Form } from './Form.tsx'
import { WhisperRegion } from './Notices.tsx'
import { Order } from './Order.tsx'
import { type Face as FaceName, faceOf } from './face.ts'
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
  const Afterwards = part('afterwards')?.Afterwards
  return Afterwards ? <Afterwards face={face} /> : <Title />
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
