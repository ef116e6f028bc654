import type { ChargeLine } from '../../../shared/page-model.ts'
import { moneyText } from '../../../shared/rules/display.ts'
import { intlLanguage } from '../../../shared/rules/wording.ts'
import { usePage } from '../page-context.ts'
import css from '../style/charges.css?inline'

// The policy of the page allows no further style element, and `@media all` makes one rule of all.
if (typeof document !== 'undefined') {
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}

/** What the payment is for, or was: each charge with its due date and amount. */
export function ChargeList({ charges }: { charges?: ChargeLine[] }) {
  const { checkout, language, t } = usePage()
  const { terms, timezone } = checkout.checkout.value
  // The server does not know the payer's time zone, so hydration starts from UTC.
  const timeZone = timezone ?? (checkout.hydrated.value ? undefined : 'UTC')
  const lines = charges ?? terms.charges ?? []
  const dates = new Intl.DateTimeFormat(intlLanguage(language), {
    dateStyle: 'long',
    ...(timeZone && { timeZone }),
  })
  return (
    <section class="charges" aria-labelledby="charges-title">
      <h2 id="charges-title">{t('checkout.charges_title')}</h2>
      <ul>
        {lines.map(({ name, due, amount }, at) => (
          <li key={at}>
            <div>
              <span class="text">{name ?? t('checkout.charges_unnamed')}</span>
              {due !== null && (
                <small>{t('checkout.charges_due', { date: dates.format(new Date(due)) })}</small>
              )}
            </div>
            <b>{moneyText({ ...terms, amount }, language)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}
