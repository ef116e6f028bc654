import { formatInstant } from '../../../shared/rules/time.ts'
import { SYSTEM, findOrCreateActorSession } from '../../actor-sessions/store.ts'
import { findContract } from '../../contracts/store.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createDeepLink } from '../../deep-links/create.ts'
import { deepLinkUrl } from '../../deep-links/serialize.ts'
import { ApiError } from '../../errors.ts'
import { recordDeepLink } from '../outbox.ts'
import type { MailContent, MailContext } from './content.ts'

/** How long the link is valid; the longest time that a link to a customer's task may have. */
const VALID_MS = 30 * 86_400_000

/**
 * Returns the button that leads the customer of a contract to another payment method. Returns undefined
 * without a contract, and where no such page is possible, as without a method that can be stored.
 */
export async function methodAction(
  context: MailContext,
  contractId: string | null,
): Promise<MailContent['action']> {
  const url = contractId === null ? undefined : await findOrCreateLink(context, contractId)
  return url === undefined ? undefined : { label: context.wording.t('email.method_button'), url }
}

/** The tries of one mail lead to one link. */
async function findOrCreateLink(
  { deps, instance, mail }: MailContext,
  contractId: string,
): Promise<string | undefined> {
  if (mail.deep_link_id !== null) {
    return deepLinkUrl(deps.config.baseUrl, { id: mail.deep_link_id, slug: null })
  }
  const contract = await findContract(deps.db, instance.id, contractId)
  if (!contract) return undefined
  const by = await findOrCreateActorSession(deps, instance.id, SYSTEM)
  try {
    return await inTransaction(deps.db, async (tx) => {
      const { id, url } = await createDeepLink(
        { ...deps, db: tx },
        instance,
        {
          action: 'ADD_PAYMENT_METHOD',
          account: contract.account_id,
          contract: contract.id,
          expires: formatInstant(deps.now() + VALID_MS),
        },
        by,
      )
      await recordDeepLink(tx, mail, id)
      return url
    })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
