import { changeAccount } from '../accounts/change.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { type AccountRow, findAccount } from '../accounts/store.ts'
import { withClockOf } from '../clock.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { parseUnsubscribeToken } from './unsubscribe-token.ts'

/** A customer who has followed the link of a mail. */
export interface Recipient {
  account: AccountRow
  instance: Instance
}

/** Returns the customer of a token; undefined for a token that this server did not make. */
export async function findRecipient(deps: Deps, token: string): Promise<Recipient | undefined> {
  const id = parseUnsubscribeToken(deps, token)
  if (id === undefined) return undefined
  const owner = await deps.db
    .selectFrom('accounts')
    .select('instance_id')
    .where('id', '=', id)
    .executeTakeFirst()
  const account = owner && (await findAccount(deps.db, owner.instance_id, id))
  return account && { account, instance: await getInstance(deps.db, account.instance_id) }
}

/**
 * Stores whether notices are mailed to a customer, with the customer as actor, and returns the account.
 * An anonymised account stays as it is: nothing is mailed to it.
 */
export async function setMailNotices(
  deps: Deps,
  { account, instance }: Recipient,
  mail_notices: boolean,
  client: ClientInfo,
): Promise<AccountRow> {
  if (account.anonymised !== null) return account
  return withClockOf(instance, async () => {
    const by = await findOrCreateActorSession(deps, instance.id, {
      type: 'CHECKOUT',
      credential: account.id,
      ...client,
    })
    return changeAccount(deps, instance.id, account.id, { change: { mail_notices }, by })
  })
}
