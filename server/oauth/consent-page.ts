import { html } from 'hono/html'
import { type Area, AREAS, type Permission, permissionsOf } from '../http/scopes.ts'
import { type Html, errorNotice } from '../users/layout.ts'
import { type SignOutForm, accountContent } from '../users/pages.ts'
import { formatDate } from '../users/format-time.ts'
import type { StringId, Translator } from '../users/translator.ts'

/** An instance that the user may connect. */
export interface InstanceOption {
  key: string
  name: string
  mode: 'TEST' | 'LIVE'
}

export interface ConsentView {
  token: string
  client: string
  /** The host that the answer goes to. */
  host: string
  scopes: string
  instances: readonly InstanceOption[]
  selected: string | undefined
  /** The user pressed Approve without a choice. */
  isSelectionMissing: boolean
  /** When the last token of the grant ends, epoch milliseconds. */
  expires: number
  email: string
  signOut: SignOutForm
  problem?: string
}

/** Who asks, for whose data, for what and for how long; approved or denied (safety rule 10). */
export function consentContent(translator: Translator, view: ConsentView): Html {
  const { t } = translator
  const { client } = view
  const date = formatDate(translator, view.expires, 'UTC')
  return html`<h1>${t('authorize.title', { client })}</h1>
    <p class="lead">${t('authorize.intro', { client })}</p>
    <form method="post">
      ${view.problem === undefined ? '' : errorNotice(view.problem)}
      <input type="hidden" name="token" value="${view.token}" />
      ${instancePart(translator, view)}
      <div class="part">
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

function instancePart(translator: Translator, view: ConsentView): Html {
  const { t } = translator
  const [only] = view.instances
  if (only && view.instances.length === 1) {
    return html`<div class="part">
      <h2>${t('authorize.instance')}</h2>
      <p class="choice">${nameOf(translator, only)}</p>
      <input type="hidden" name="instance" value="${only.key}" />
    </div>`
  }
  return html`<fieldset class="part" aria-describedby="${view.isSelectionMissing ? 'problem' : ''}">
    <legend>${t('authorize.instance_choose')}</legend>
    ${view.isSelectionMissing ? errorNotice(t('authorize.instance_missing')) : ''}
    <div class="choices">
      ${view.instances.map(
        (choice) =>
          html`<label class="choice">
            <input
              type="radio"
              name="instance"
              value="${choice.key}"
              required
              ${choice.key === view.selected ? 'checked' : ''}
            />
            ${nameOf(translator, choice, { key: true })}
          </label>`,
      )}
    </div>
  </fieldset>`
}

/** The key stands beside a name only where a name alone might not say which. */
function nameOf(
  { t }: Translator,
  { name, key, mode }: InstanceOption,
  options = { key: false },
): Html {
  return html`<span class="name"
      >${name}${options.key ? html`<span class="key">${key}</span>` : ''}</span
    >${mode === 'TEST' ? html`<span class="badge">${t('checkout.test_mode')}</span>` : ''}`
}

const AREA_WORDS = {
  payment_links: 'authorize.payment_links',
  payments: 'authorize.payments',
  accounts: 'authorize.accounts',
  charges: 'authorize.charges',
  strings: 'authorize.strings',
  webhooks: 'authorize.webhooks',
  instances: 'authorize.instances',
} as const satisfies Record<Area, string>

/** What a permission opens beyond the name of its area. */
const PERMISSION_WORDS: readonly [Permission, StringId][] = [
  ['payment_links:read', 'authorize.link_customers'],
  // What payers type is in payments too.
  ['payments:read', 'authorize.link_customers'],
  ['payments:write', 'authorize.money'],
  ['charges:write', 'authorize.money'],
  ['webhooks:read', 'authorize.events'],
  ['webhooks:write', 'authorize.webhook_address'],
  ['instances:write', 'authorize.settings_websites'],
]

/** One line for each area that is asked for, and what it opens beyond its name, each said once. */
function scopeItems({ t }: Translator, view: Pick<ConsentView, 'scopes' | 'client'>): Html[] {
  const { client } = view
  const permitted = permissionsOf(view.scopes) ?? new Set()
  const said = new Set<StringId>()
  const notesOf = (area: Area) =>
    PERMISSION_WORDS.filter(([permission, id]) => {
      const applies = permission.startsWith(`${area}:`) && permitted.has(permission)
      if (!applies || said.has(id)) return false
      said.add(id)
      return true
    }).map(([, id]) => html`<span class="note">${t(id, { client })}</span>`)
  return AREAS.flatMap((area) => {
    const [read, write] = [permitted.has(`${area}:read`), permitted.has(`${area}:write`)]
    if (!read && !write) return []
    const both = read && write ? 'authorize.level_both' : undefined
    const level = both ?? (read ? 'authorize.level_read' : 'authorize.level_write')
    return [
      html`<li>
        <span class="area">${t(AREA_WORDS[area])}</span>
        <span class="level">${t(level)}</span>
        ${notesOf(area)}
      </li>`,
    ]
  })
}
