import { formatInstant } from '../../shared/rules/time.ts'
import { translate } from '../../shared/rules/wording.ts'
import type { SaveTaskMethod } from '../../shared/schemas/deep-link-task.ts'
import { lockAccount } from '../accounts/store.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Tx } from '../db/tables.ts'
import { fromJson } from '../db/json.ts'
import { lockDeepLink } from '../deep-links/store.ts'
import { reserveTaskUse } from '../deep-links/uses.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState, tooManyRequests } from '../errors.ts'
import { nameOf } from '../instances/brandings.ts'
import { countUnsuccessfulSetups } from '../method-setups/store.ts'
import { setUpMethod } from '../method-setups/set-up.ts'
import { capabilitiesOf } from '../processors/offered.ts'
import { getStrings } from '../strings/bundle.ts'
import { savableMethods } from './savable-methods.ts'
import { linkGone, requireTaskOpen, taskBranding, type TaskSession } from './session.ts'
import { listSessionIds } from './store.ts'

/** Methods of one account that were not saved in an hour; more are a sign of stolen cards, and wait. */
const UNSUCCESSFUL_MAX = 8
const HOUR_MS = 3_600_000

/**
 * Saves a method of the customer, for the account and, where the link names one, its contract. Throws
 * INVALID_REQUEST for a method that is not offered, and 429 after many declined ones.
 */
export async function saveTaskMethod(
  deps: Deps,
  task: TaskSession,
  body: SaveTaskMethod,
  client: ClientInfo,
): Promise<void> {
  const { session, link, instance } = task
  requireMethodAllowed(link)
  const accountId = link.account_id as string
  const { type, processor, token } = body.payment_method
  const processors = await deps.processors.ofInstance(instance)
  const isOffered = savableMethods(processors, instance).some(
    (method) => method.type === type && method.processor === processor,
  )
  if (!isOffered) throw invalid('payment_method.type', 'is not offered by this link')
  const used = processors.find(({ id }) => id === processor)
  if (used && capabilitiesOf(used, type)?.token_form?.test(token) === false) {
    throw invalid('payment_method.token', 'is not a token of the processor')
  }
  const { language } = session
  const branding = taskBranding(task)
  const strings = await getStrings(deps, instance, { language, branding })
  const merchant = nameOf(instance, branding)
  await setUpMethod(deps, {
    instanceId: instance.id,
    accountId,
    sessionId: session.id,
    attemptKey: body.attempt_key,
    requestHash: deps.keyedDigest(JSON.stringify(body.payment_method)),
    page: `/go/${link.id}`,
    processor,
    method: { kind: 'NEW', type, token },
    consent: {
      text: translate(strings, language, 'tasks.consent', { merchant }),
      language,
    },
    client,
    description: merchant,
    earlierSessions: await listSessionIds(deps.db, link.id),
    admit: (tx, replaced) => admitSetup(deps, tx, task, replaced),
  })
}

/**
 * Reserves a use of the link for a set-up. Set-ups of a link are admitted one after another, so that
 * neither its uses nor the limit of declines is exceeded by several at once.
 */
async function admitSetup(deps: Deps, tx: Tx, task: TaskSession, replaced: number): Promise<void> {
  // An account is anonymised in one transaction, which archives its links.
  await lockAccount(tx, task.instance.id, task.link.account_id as string)
  const link = await lockDeepLink(tx, task.link.id)
  requireTaskOpen(deps, { ...task, link })
  const since = formatInstant(deps.now() - HOUR_MS)
  const count = await countUnsuccessfulSetups(tx, link.account_id as string, since)
  if (count >= UNSUCCESSFUL_MAX) {
    throw tooManyRequests('Too many declined payment methods', HOUR_MS)
  }
  if (!(await reserveTaskUse(tx, link, replaced))) throw linkGone()
}

function requireMethodAllowed({ action, allow }: DeepLinkRow): void {
  const isAllowed =
    action === 'ADD_PAYMENT_METHOD' || fromJson<string[]>(allow)?.includes('PAYMENT_METHOD')
  if (!isAllowed) throw invalidState('Deep link does not allow to save a payment method')
}
