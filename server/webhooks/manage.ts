import type { Instance } from '../db/tables/instances.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { NewWebhook, WebhookChange } from '../../shared/schemas/webhook.ts'
import type { Deps } from '../deps.ts'
import { type Audited, recordAudit } from '../audit/record-audit.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { PUBLIC_ONLY, outboundPolicy, urlError } from '../outbound/url-policy.ts'
import { isKnownPattern } from './patterns.ts'
import { newWebhookSecret } from './signature.ts'
import {
  getWebhook,
  lockAndCountWebhooks,
  insertWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

type WebhookDeps = Pick<Deps, 'db' | 'now' | 'realNow' | 'config' | 'security'>
type Owner = Pick<Instance, 'id' | 'mode'>

const WEBHOOKS_MAX = 20
/** How long the previous secret signs beside the new one. */
const OVERLAP_MS = 86_400_000

/** `actorSession` is the id of the caller's session. */
export async function createWebhook(
  deps: WebhookDeps,
  instance: Owner,
  input: NewWebhook,
  actorSession: string,
): Promise<WebhookRow> {
  const now = deps.now()
  const created = formatInstant(now)
  const webhook: WebhookRow = {
    id: newId('wh', now),
    instance_id: instance.id,
    url: input.url,
    events: JSON.stringify(input.events),
    enabled: input.enabled === false ? 0 : 1,
    description: input.description ?? null,
    secret: newWebhookSecret(),
    previous_secret: null,
    previous_until: null,
    failing_since: null,
    created_session: actorSession,
    updated_session: actorSession,
    created,
    updated: created,
    v: 1,
  }
  checkMembers(deps, instance, input)
  await inTransaction(deps.db, async (tx) => {
    if ((await lockAndCountWebhooks(tx, instance.id)) >= WEBHOOKS_MAX) {
      throw invalidState(`An instance may have at most ${WEBHOOKS_MAX} webhooks`)
    }
    await insertWebhook(tx, webhook)
    await record(deps, tx, webhook, { action: 'webhook.created' })
  })
  return webhook
}

/**
 * Changes the given members. Enabling or disabling a webhook, or changing its URL, clears `failing_since`: the
 * attention count leaves out a webhook that its merchant has disabled. Waiting deliveries continue.
 */
export async function changeWebhook(
  deps: WebhookDeps,
  instance: Owner,
  id: string,
  {
    change,
    actorSession,
    ifMatch,
  }: { change: WebhookChange; actorSession: string; ifMatch: number | undefined },
): Promise<WebhookRow> {
  return retryOnConflict('Webhook', async () => {
    const stored = await getWebhook(deps.db, instance.id, id)
    expectVersion('Webhook', stored, ifMatch)
    checkMembers(deps, instance, change)
    const settings = changedSettings(stored, change)
    const members = SETTINGS.filter((name) => settings[name] !== stored[name])
    if (members.length === 0) return stored
    const restarts = settings.url !== stored.url || settings.enabled !== stored.enabled
    return inTransaction(deps.db, async (tx) => {
      const changed = await updateWebhook(tx, stored, {
        ...settings,
        ...(restarts ? { failing_since: null } : {}),
        updated: formatInstant(deps.now()),
        updated_session: actorSession,
      })
      const entry = { action: 'webhook.changed', detail: { members } } as const
      if (changed) await record(deps, tx, changed, entry)
      return changed
    })
  })
}

const SETTINGS = ['url', 'events', 'enabled', 'description'] as const

type Settings = Pick<WebhookRow, (typeof SETTINGS)[number]>

function changedSettings(stored: WebhookRow, change: WebhookChange): Settings {
  return {
    url: change.url ?? stored.url,
    events: change.events === undefined ? stored.events : JSON.stringify(change.events),
    enabled: change.enabled === undefined ? stored.enabled : Number(change.enabled),
    description: change.description === undefined ? stored.description : change.description,
  }
}

/** Replaces the secret of a webhook. The previous one signs too for 24 hours. */
export async function rotateSecret(
  deps: WebhookDeps,
  instance: Owner,
  id: string,
  actorSession: string,
): Promise<WebhookRow> {
  const webhook = await getWebhook(deps.db, instance.id, id)
  const now = deps.now()
  return inTransaction(deps.db, async (tx) => {
    const rotated = await replaceSecret(tx, webhook, {
      secret: newWebhookSecret(),
      previous_until: formatInstant(deps.realNow() + OVERLAP_MS),
      updated: formatInstant(now),
      updated_session: actorSession,
    })
    await record(deps, tx, rotated, { action: 'webhook.rotated' })
    return rotated
  })
}

/** Writes what the last caller did to a webhook into the audit log. */
async function record(
  { realNow }: Pick<Deps, 'realNow'>,
  tx: Tx,
  { id, instance_id, updated_session }: WebhookRow,
  entry: Pick<Audited, 'action' | 'detail'>,
): Promise<void> {
  await recordAudit(tx, {
    at: realNow(),
    by: { type: 'SESSION', id: updated_session },
    of: { instance: instance_id },
    about: id,
    ...entry,
  })
}

function checkMembers(
  { config, security }: WebhookDeps,
  instance: Owner,
  input: Pick<WebhookChange, 'url' | 'events'>,
): void {
  const reach = outboundPolicy(instance.mode, config)
  const problem = input.url === undefined ? undefined : urlError(input.url, reach)
  if (problem === PUBLIC_ONLY) security.record('outbound_refused', { instance: instance.id })
  if (problem !== undefined) throw invalid('instance_webhook.url', problem)
  const unknown = input.events?.find((pattern) => !isKnownPattern(pattern))
  if (unknown !== undefined) {
    throw invalid('instance_webhook.events', `has ${unknown}, which is not an event type`)
  }
}
