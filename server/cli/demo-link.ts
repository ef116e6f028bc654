import type { Instance } from '../db/tables/instances.ts'
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

const SEARCHED_MAX = 1000

/** Returns the URL of the demo link of an earlier start, or creates one when that was paid. */
export async function demoLink(deps: Deps, instance: Instance): Promise<string> {
  const id = (await findDemoLink(deps.db, instance.id)) ?? (await createDemoLink(deps, instance))
  return payUrl(deps.config.baseUrl, id)
}

async function createDemoLink(deps: Deps, instance: Instance): Promise<string> {
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
