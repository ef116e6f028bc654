import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeAccount } from './serialize.ts'
import type { AccountRow } from './store.ts'

export async function recordAccountEvent(
  tx: Tx,
  type: EventType,
  account: AccountRow,
  now: number,
): Promise<void> {
  const data = { account: serializeAccount(account) }
  await recordEvent(tx, { instanceId: account.instance_id, type, data, now })
}
