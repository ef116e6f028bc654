import { thisPage } from '../page-context.ts'
import { editCardNumber } from '../methods/card-number.ts'
import type { StringId } from '../translator.ts'

/** The most useful of the sandbox's cards (contract section 19). */
const CARDS: readonly [number: string, does: StringId][] = [
  ['4242424242424242', 'checkout.test_card_approved'],
  ['4000000000000002', 'checkout.test_card_declined'],
  ['4000000000003220', 'checkout.test_card_challenge'],
  ['4000000000000077', 'checkout.test_card_pending'],
]

/** Test cards to try the page with; one press fills the card in. Only on a test instance. */
export function TestCards() {
  const { checkout, form, t } = thisPage()
  const grouped = (number: string) =>
    editCardNumber({ before: '', text: number, caret: 0, forward: false }).text
  function fill(number: string): void {
    const year = (new Date(checkout.time()).getUTCFullYear() + 3) % 100
    form.type('number', grouped(number))
    form.type('expiry', `12 / ${String(year).padStart(2, '0')}`)
    form.type('csc', '123')
  }
  return (
    <ul class="test-cards">
      {CARDS.map(([number, does]) => (
        <li key={number}>
          <button type="button" class="test-card" onClick={() => fill(number)}>
            <span class="digits">{grouped(number)}</span>
            <span>{t(does)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
