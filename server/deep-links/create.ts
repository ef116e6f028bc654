import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import { toJson } from '../db/json.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { DeepLink, NewDeepLink } from '../../shared/schemas/deep-link.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { newDeepLinkId } from '../ids.ts'
import { requireSafeDeployment } from '../payment-links/create.ts'
import { recordDeepLinkEvent } from './events.ts'
import { slugTaken } from './slug-taken.ts'
import { insertDeepLink } from './store.ts'
import { editContent, validateAction, validateRelations } from './validate.ts'

const NO_CONTENT = { expires: null, options: {} }

/**
 * Creates a deep link and records `deep_link.created`. `by` is the id of the caller's session. Throws an
 * ApiError for content that breaks a rule, 404 for unknown relations, and DUPLICATE for a taken slug.
 */
export async function createDeepLink(
  deps: Deps,
  instance: Instance,
  input: NewDeepLink,
  by: string,
): Promise<DeepLink> {
  requireSafeDeployment(deps, instance)
  const now = deps.now()
  const { action, account, contract, charges, allow, ...change } = input
  await validateRelations(deps.db, instance, input)
  // The options of a link that takes no options still have to be payable, as its page is a form.
  const asked = { ...change, options: change.options ?? {} }
  const content = await editContent(deps, instance, NO_CONTENT, asked, { mode: 'REPLACE', now })
  const created = formatInstant(now)
  const link: DeepLinkRow = {
    id: newDeepLinkId(now),
    instance_id: instance.id,
    slug: input.slug ?? null,
    action,
    account_id: account ?? null,
    contract_id: contract ?? null,
    charges: toJson(charges),
    allow: toJson(allow),
    options: JSON.stringify(content.options),
    options_v: 1,
    max_uses: input.max_uses ?? null,
    uses: 0,
    reserved_uses: 0,
    last_use: null,
    last_used: null,
    expires: content.expires,
    expiry_recorded: 0,
    archived: null,
    created_session: by,
    updated_session: by,
    created,
    updated: created,
    v: 1,
  }
  validateAction({ ...link, options: content.options }, now)
  return inTransaction(deps.db, async (tx) => {
    if (!(await insertDeepLink(tx, link))) throw slugTaken()
    return recordDeepLinkEvent({ tx, baseUrl: deps.config.baseUrl, now }, 'deep_link.created', link)
  })
}
