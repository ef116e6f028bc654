import { editCardNumber } from '../methods/card-number.ts'
import { usePage } from '../page-context.ts'
import type { StringId } from '../translator.ts'

const CARDS: readonly [number: string, description: StringId][] = [
  ['4242424242424242', 'checkout.test_card_approved'],
  ['4000000000000002', 'checkout.test_card_declined'],
  ['4000000000003220', 'checkout.test_card_challenge'],
  ['4000000000000077', 'checkout.test_card_pending'],
]

/** Fills in a card of the sandbox; on a test instance only. */
export function TestCards() {
  const { checkout, form, t } = usePage()
  const grouped = (number: string) =>
    editCardNumber({ before: '', text: number, caret: 0, forward: false }).text
  function fill(number: string): void {
    const year = (new Date(checkout.time()).getUTCFullYear() + 3) % 100
    form.enter('number', grouped(number))
    form.enter('expiry', `12 / ${String(year).padStart(2, '0')}`)
    form.enter('csc', '123')
  }
  return (
    <ul class="test-cards">
      {CARDS.map(([number, description]) => (
        <li key={number}>
          <button type="button" class="test-card" onClick={() => fill(number)}>
            <span class="digits">{grouped(number)}</span>
            <span>{t(description)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
