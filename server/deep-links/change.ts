import { isDeepStrictEqual } from 'node:util'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { DeepLink, DeepLinkChange } from '../../shared/schemas/deep-link.ts'
import type { UpdateMode } from '../../shared/schemas/payment-link.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { recordDeepLinkEvent } from './events.ts'
import { serializeDeepLink } from './serialize.ts'
import { slugTaken } from './slug-taken.ts'
import { lookupDeepLink, updateDeepLink } from './store.ts'
import { editContent, parseOptions, validateAction } from './validate.ts'

interface DeepLinkEditRequest {
  change: DeepLinkChange
  mode: UpdateMode
  /** The version that the caller expects; any other is a CONFLICT. */
  ifMatch: number | undefined
  /** Id of the caller's session. */
  by: string
}

/**
 * Changes a deep link and records `deep_link.updated`, and `deep_link.exhausted` when its uses have reached
 * a new limit. A request that changes nothing keeps the version and `updated`, and records no event.
 */
export async function changeDeepLink(
  deps: Deps,
  instance: Instance,
  idOrSlug: string,
  request: DeepLinkEditRequest,
): Promise<DeepLink> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      const now = deps.now()
      const saved = await saveChange(deps, tx, instance, idOrSlug, { ...request, now })
      const { link, before } = saved
      const { baseUrl } = deps.config
      if (link === before) return serializeDeepLink(link, { now, baseUrl })
      const context = { tx, baseUrl, now }
      const updated = await recordDeepLinkEvent(context, 'deep_link.updated', link)
      const isUsedUp = link.uses === link.max_uses && before.max_uses !== link.max_uses
      if (isUsedUp) await recordDeepLinkEvent(context, 'deep_link.exhausted', link)
      return updated
    })
  } catch (error) {
    throw isUniqueViolation(error) ? slugTaken() : error
  }
}

/**
 * Returns the link after the change and before it; both are the same row when nothing changes. Starts over
 * when another request, or a payment, writes after the read.
 */
async function saveChange(
  deps: Deps,
  tx: Tx,
  instance: Instance,
  idOrSlug: string,
  { change, mode, ifMatch, by, now }: DeepLinkEditRequest & { now: number },
): Promise<{ link: DeepLinkRow; before: DeepLinkRow }> {
  return retryOnConflict('Deep link', async () => {
    const stored = await lookupDeepLink(tx, instance.id, idOrSlug)
    expectVersion('Deep link', stored, ifMatch)
    const options = parseOptions(stored)
    const before = { expires: stored.expires, options }
    const content = await editContent({ ...deps, db: tx }, instance, before, change, { mode, now })
    const after = {
      slug: change.slug === undefined ? stored.slug : change.slug,
      max_uses: change.max_uses === undefined ? stored.max_uses : change.max_uses,
      expires: content.expires,
      options: content.options,
    }
    if (isDeepStrictEqual(after, { ...before, slug: stored.slug, max_uses: stored.max_uses })) {
      return { link: stored, before: stored }
    }
    if (stored.archived !== null) throw invalidState('Deep link is archived')
    validateAction({ ...stored, ...after }, now)
    requireUsesLeft(stored, after.max_uses)
    const link = await updateDeepLink(tx, stored, {
      ...after,
      options: JSON.stringify(content.options),
      options_v: stored.options_v + (isDeepStrictEqual(options, content.options) ? 0 : 1),
      expiry_recorded: after.expires === stored.expires ? stored.expiry_recorded : 0,
      updated_session: by,
      updated: formatInstant(now),
    })
    return link && { link, before: stored }
  })
}

/** Payments under way were promised their use, so `max_uses` cannot fall below them. */
function requireUsesLeft({ uses, reserved_uses }: DeepLinkRow, max: number | null): void {
  if (max === null || max >= uses + reserved_uses) return
  const taken = `${uses + reserved_uses}, the payments that it has or that are under way`
  throw invalid('deep_link.max_uses', `must be at least ${taken}`)
}
