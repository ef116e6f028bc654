import type { Instance } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { NewWebhook, WebhookChange } from '../../shared/schemas/webhook.ts'
import type { Deps } from '../deps.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { PUBLIC_ONLY, reachOf, urlError } from '../outbound/url-policy.ts'
import { isKnownPattern } from './patterns.ts'
import { newWebhookSecret } from './sign.ts'
import {
  getWebhook,
  lockAndCountWebhooks,
  insertWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

type Needs = Pick<Deps, 'db' | 'now' | 'realNow' | 'config' | 'security'>
type Owner = Pick<Instance, 'id' | 'mode'>

const WEBHOOKS_MAX = 20
/** How long the former secret signs beside the new one. */
const OVERLAP_MS = 86_400_000

/** Makes a webhook of an instance (contract section 16). `by` is the caller's session. */
export async function createWebhook(
  deps: Needs,
  instance: Owner,
  given: NewWebhook,
  by: string,
): Promise<WebhookRow> {
  const now = deps.now()
  const created = formatInstant(now)
  const webhook: WebhookRow = {
    id: newId('wh', now),
    instance_id: instance.id,
    url: given.url,
    events: JSON.stringify(given.events),
    enabled: given.enabled === false ? 0 : 1,
    description: given.description ?? null,
    secret: newWebhookSecret(),
    previous_secret: null,
    previous_until: null,
    failing_since: null,
    created_session: by,
    updated_session: by,
    created,
    updated: created,
    v: 1,
  }
  checkMembers(deps, instance, given)
  await inTransaction(deps.db, async (tx) => {
    if ((await lockAndCountWebhooks(tx, instance.id)) >= WEBHOOKS_MAX) {
      throw invalidState(`An instance may have at most ${WEBHOOKS_MAX} webhooks`)
    }
    await insertWebhook(tx, webhook)
  })
  return webhook
}

/**
 * Changes the members that are named. Enabling a webhook again, or giving it another address,
 * forgets how long it has been failing; what waits for it goes on (contract section 16).
 */
export async function changeWebhook(
  deps: Needs,
  instance: Owner,
  id: string,
  { change, by, ifMatch }: { change: WebhookChange; by: string; ifMatch: number | undefined },
): Promise<WebhookRow> {
  return retryOnConflict('Webhook', async () => {
    const stored = await getWebhook(deps.db, instance.id, id)
    expectVersion('Webhook', stored, ifMatch)
    checkMembers(deps, instance, change)
    const wanted = changed(stored, change)
    if (wanted === undefined) return stored
    const restarts = wanted.url !== stored.url || wanted.enabled > stored.enabled
    return updateWebhook(deps.db, stored, {
      ...wanted,
      ...(restarts ? { failing_since: null } : {}),
      updated: formatInstant(deps.now()),
      updated_session: by,
    })
  })
}

type Settings = Pick<WebhookRow, 'url' | 'events' | 'enabled' | 'description'>

/** The settings with the change in them, or undefined when that makes no difference. */
function changed(stored: WebhookRow, change: WebhookChange): Settings | undefined {
  const wanted: Settings = {
    url: change.url ?? stored.url,
    events: change.events === undefined ? stored.events : JSON.stringify(change.events),
    enabled: change.enabled === undefined ? stored.enabled : Number(change.enabled),
    description: change.description === undefined ? stored.description : change.description,
  }
  const names = Object.keys(wanted) as (keyof Settings)[]
  return names.every((name) => wanted[name] === stored[name]) ? undefined : wanted
}

/** Gives a webhook a new secret; the present one signs too for 24 hours (contract section 16). */
export async function rotateSecret(
  deps: Needs,
  instance: Owner,
  id: string,
  by: string,
): Promise<WebhookRow> {
  const webhook = await getWebhook(deps.db, instance.id, id)
  const now = deps.now()
  return replaceSecret(deps.db, webhook, {
    secret: newWebhookSecret(),
    previous_until: formatInstant(deps.realNow() + OVERLAP_MS),
    updated: formatInstant(now),
    updated_session: by,
  })
}

function checkMembers(
  { config, security }: Needs,
  instance: Owner,
  given: Pick<WebhookChange, 'url' | 'events'>,
): void {
  const reach = reachOf(instance.mode, config)
  const problem = given.url === undefined ? undefined : urlError(given.url, reach)
  if (problem === PUBLIC_ONLY) security.record('outbound_refused', { instance: instance.id })
  if (problem !== undefined) throw invalid('instance_webhook.url', problem)
  const unknown = given.events?.find((pattern) => !isKnownPattern(pattern))
  if (unknown !== undefined) {
    throw invalid('instance_webhook.events', `matches no event type: ${unknown}`)
  }
}
