import { taxIdText } from '../../../shared/rules/tax-id-text.ts'
import { usePage } from '../page-context.ts'
import css from '../style/entity.css?inline'
import type { StringId } from '../translator.ts'

// As in the chunk of results; a module that both share would be in every document's import map.
if (typeof document !== 'undefined') {
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}

/** Who is paid, below the form and the receipt. Its texts are of the merchant, in any script. */
export function LegalEntity() {
  const { checkout, t } = usePage()
  const { legal_entity: entity } = checkout.checkout.value
  const { kind } = checkout.screen.value
  if (!entity) return null
  const { legal_name, address, registration, tax_ids, email, phone, receipt_footer } = entity
  const links: [StringId, string | null][] = [
    ['checkout.legal_notice', entity.url],
    ['checkout.legal_terms', entity.terms_url],
    ['checkout.legal_privacy', entity.privacy_url],
  ]
  const lines = [
    address.join(', '),
    registration && t('checkout.legal_register', { number: registration }),
    ...tax_ids.map((each) => taxIdText(t, each)),
    email,
    phone,
  ]
  return (
    <footer class="legal-entity">
      {receipt_footer !== null && (kind === 'receipt' || kind === 'pending') && (
        <p class="text" dir="auto">
          {receipt_footer}
        </p>
      )}
      <address>
        <strong dir="auto">{legal_name}</strong>
        {lines.map((line) => line && <span dir="auto">{line}</span>)}
      </address>
      <p class="legal-links">
        {links.map(
          ([id, url]) =>
            url !== null && (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {t(id)}
              </a>
            ),
        )}
      </p>
    </footer>
  )
}
