import type { ChargeLine } from '../../../shared/page-model.ts'
import { moneyText } from '../../../shared/rules/display.ts'
import { dateText } from '../../../shared/rules/recurring-text.ts'
import { rhythmSentence, zoneOf } from '../contract-texts.ts'
import { usePage } from '../page-context.ts'
import css from '../style/charges.css?inline'

// The policy of the page allows no further style element, and `@media all` makes one rule of all.
if (typeof document !== 'undefined') {
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}

/** What the payer of a link with charges or a contract has to know beside the amount. */
export function Owed() {
  const page = usePage()
  const { charges, recurring } = page.checkout.checkout.value.terms
  if (charges) return <ChargeList charges={charges} />
  return recurring && <p class="text">{rhythmSentence(page, recurring)}</p>
}

/** What a payment is for, or was: each charge with its due date and amount. */
export function ChargeList({ charges }: { charges?: ChargeLine[] | undefined }) {
  const page = usePage()
  const { checkout, language, t } = page
  const { terms } = checkout.checkout.value
  if (!charges) return null
  return (
    <section class="charges" aria-labelledby="charges-title">
      <h2 id="charges-title">{t('checkout.charges_title')}</h2>
      <ul>
        {charges.map(({ name, due, amount }, at) => (
          <li key={at}>
            <div>
              <span class="text">{name ?? t('checkout.charges_unnamed')}</span>
              {due !== null && (
                <small>
                  {t('checkout.charges_due', { date: dateText(due, language, zoneOf(page)) })}
                </small>
              )}
            </div>
            <b>{moneyText({ ...terms, amount }, language)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}
