import { html } from 'hono/html'
import type { Instance } from '../db/tables/instances.ts'
import { AREAS, type Permission, type ScopeArea } from '../../shared/rules/permissions.ts'
import { permissionsOf } from '../../shared/rules/scopes.ts'
import { type Html, errorNotice } from '../users/layout.ts'
import { accountContent } from '../users/pages.ts'
import { formatDate } from '../users/format-time.ts'
import type { SignOutForm } from '../users/sign-out-form.ts'
import type { StringId, Translator } from '../users/translator.ts'

/** An instance that the user can connect. */
type InstanceOption = Pick<Instance, 'key' | 'name' | 'mode'>

export interface ConsentView {
  csrfToken: string
  /** The name of the platform. */
  client: string
  /** The host of the redirect URL. */
  host: string
  /** Separated by spaces. */
  scopes: string
  instances: readonly InstanceOption[]
  /** The key of the instance that the submitted form had selected. */
  selected: string | undefined
  /** The form was approved without an instance. */
  isSelectionMissing: boolean
  /** When the last token of the grant expires, in epoch milliseconds. */
  expires: number
  email: string
  signOut: SignOutForm
  error?: string
}

export function consentContent(translator: Translator, view: ConsentView): Html {
  const { t } = translator
  const { client } = view
  const date = formatDate(translator, view.expires, 'UTC')
  return html`<h1>${t('authorize.title', { client })}</h1>
    <p class="lead">${t('authorize.intro', { client })}</p>
    <form method="post">
      ${view.error === undefined ? '' : errorNotice(view.error)}
      <input type="hidden" name="token" value="${view.csrfToken}" />
      ${instanceSection(translator, view)}
      <div class="section">
        <h2>${t('authorize.scopes', { client })}</h2>
        <ul class="scopes">
          ${scopeItems(translator, view)}
        </ul>
      </div>
      <div class="terms">
        <p>${t('authorize.lifetime', { date, client })}</p>
        <p>${t('authorize.return', { host: view.host })}</p>
      </div>
      <div class="buttons guarded">
        <button class="button quiet" name="decision" value="deny" formnovalidate>
          ${t('authorize.deny')}
        </button>
        <button class="button" name="decision" value="approve">${t('authorize.approve')}</button>
      </div>
    </form>
    ${accountContent(translator, view)}`
}

function instanceSection(translator: Translator, view: ConsentView): Html {
  const { t } = translator
  const [only] = view.instances
  if (only && view.instances.length === 1) {
    return html`<div class="section">
      <h2>${t('authorize.instance')}</h2>
      <p class="choice">${instanceName(translator, only)}</p>
      <input type="hidden" name="instance" value="${only.key}" />
    </div>`
  }
  return html`<fieldset
    class="section"
    aria-describedby="${view.isSelectionMissing ? 'problem' : ''}"
  >
    <legend>${t('authorize.instance_choose')}</legend>
    ${view.isSelectionMissing ? errorNotice(t('authorize.instance_missing')) : ''}
    <div class="choices">
      ${view.instances.map(
        (instance) =>
          html`<label class="choice">
            <input
              type="radio"
              name="instance"
              value="${instance.key}"
              required
              ${instance.key === view.selected ? 'checked' : ''}
            />
            ${instanceName(translator, instance, { withKey: true })}
          </label>`,
      )}
    </div>
  </fieldset>`
}

/** The key distinguishes instances that have the same name. */
function instanceName(
  { t }: Translator,
  { name, key, mode }: InstanceOption,
  options = { withKey: false },
): Html {
  return html`<span class="name"
      >${name}${options.withKey ? html`<span class="key">${key}</span>` : ''}</span
    >${mode === 'TEST' ? html`<span class="badge">${t('checkout.test_mode')}</span>` : ''}`
}

const AREA_NAMES = {
  payment_links: 'authorize.payment_links',
  payments: 'authorize.payments',
  accounts: 'authorize.accounts',
  charges: 'authorize.charges',
  strings: 'authorize.strings',
  webhooks: 'authorize.webhooks',
  instances: 'authorize.instances',
  processors: 'authorize.processors',
} as const satisfies Record<ScopeArea, string>

/** What a permission opens beyond the name of its area. */
const PERMISSION_NOTES: readonly [Permission, StringId][] = [
  ['payment_links:read', 'authorize.link_customers'],
  // Payments contain the customer details of links as well.
  ['payments:read', 'authorize.link_customers'],
  ['payments:write', 'authorize.money'],
  ['charges:write', 'authorize.money'],
  ['webhooks:read', 'authorize.events'],
  ['webhooks:write', 'authorize.webhook_address'],
  ['instances:write', 'authorize.settings_websites'],
  ['instances:write', 'authorize.legal_entities'],
  ['processors:write', 'authorize.processor_accounts'],
]

/** One item for each requested area. A note that applies to several areas is shown at the first. */
function scopeItems({ t }: Translator, view: Pick<ConsentView, 'scopes' | 'client'>): Html[] {
  const { client } = view
  const permitted = permissionsOf(view.scopes) ?? new Set()
  const shown = new Set<StringId>()
  const notes = (area: ScopeArea) =>
    PERMISSION_NOTES.filter(([permission, id]) => {
      const applies = permission.startsWith(`${area}:`) && permitted.has(permission)
      if (!applies || shown.has(id)) return false
      shown.add(id)
      return true
    }).map(([, id]) => html`<span class="note">${t(id, { client })}</span>`)
  return AREAS.flatMap((area) => {
    const [read, write] = [permitted.has(`${area}:read`), permitted.has(`${area}:write`)]
    if (!read && !write) return []
    const both = read && write ? 'authorize.level_both' : undefined
    const level = both ?? (read ? 'authorize.level_read' : 'authorize.level_write')
    return [
      html`<li>
        <span class="area">${t(AREA_NAMES[area])}</span>
        <span class="level">${t(level)}</span>
        ${notes(area)}
      </li>`,
    ]
  })
}
