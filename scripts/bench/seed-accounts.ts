import { foldedColumns } from '../../server/accounts/store.ts'
import type { Db } from '../../server/db/tables.ts'
import { newId } from '../../server/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'

const BATCH = 500
const BEGAN = Date.parse('2030-01-01T00:00:00.000Z')

/** The nth account: one is made a minute, and every hundredth has the tag that is looked for. */
function account(instanceId: string, n: number) {
  const at = BEGAN + n * 60_000
  const created = formatInstant(at)
  const crm_key = `CRM-${String(n).padStart(7, '0')}`
  const email = `Person.${n}@example.com`
  const row = {
    id: newId('acc', at),
    instance_id: instanceId,
    crm_key,
    first_name: `First ${n % 997}`,
    last_name: `Last ${n % 4999}`,
    company: `Company ${n % 1999}`,
    email,
    phone: `+44 20 ${n}`,
    address: JSON.stringify({ line1: `${n} High Street`, line4: 'London', country: 'GB' }),
    metadata: JSON.stringify({ tier: n % 3 === 0 ? 'gold' : 'silver' }),
    tags: n % 100 === 0 ? 'newsletter,Wholesale' : 'newsletter',
    locale: 'en-GB',
    timezone: null,
    channel: 'web',
    division: null,
    crm: null,
    status: 'ACTIVE' as const,
    anonymised: null,
    erasing: null,
    mail_notices: 1,
    last_transacted: null,
    last_transaction_id: null,
    created_session: null,
    updated_session: null,
    created,
    updated: created,
    v: 1,
  }
  return { ...row, ...foldedColumns(row) }
}

/** Gives an instance so many accounts. */
export async function fillAccounts(db: Db, instanceId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - n) }, (_, i) =>
      account(instanceId, n + i),
    )
    await db.insertInto('accounts').values(batch).execute()
  }
}
