import type { Instance } from '../db/rows.ts'
import type { Db } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { createLink } from '../payment-links/create.ts'
import { payUrl } from '../payment-links/serialize.ts'

const OPTIONS = {
  amount: '24.00',
  currency: 'EUR',
  name: 'Two bags of coffee',
  alt_key: 'demo-1001',
  description: 'Espresso roast, 2 × 500 g',
}

/** How many of the newest links are looked through. */
const SEARCHED_MAX = 1000

/**
 * Returns the address of a link that can be paid with a test card: the one of an earlier start while
 * that is unpaid, else a new one.
 */
export async function demoLink(deps: Deps, instance: Instance): Promise<string> {
  const id = (await findDemoLink(deps.db, instance.id)) ?? (await makeDemoLink(deps, instance))
  return payUrl(deps.config.baseUrl, id)
}

async function makeDemoLink(deps: Deps, instance: Instance): Promise<string> {
  return (await createLink(deps, instance, { options: OPTIONS })).id
}

async function findDemoLink(db: Db, instanceId: string): Promise<string | undefined> {
  const links = await db
    .selectFrom('payment_links')
    .select(['id', 'options'])
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'ACTIVE')
    .where('archived', 'is', null)
    .where('expires', 'is', null)
    .orderBy('created', 'desc')
    .limit(SEARCHED_MAX)
    .execute()
  return links.find(({ options }) => JSON.parse(options).alt_key === OPTIONS.alt_key)?.id
}
