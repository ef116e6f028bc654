import type { MerchantClient } from '../client.ts'
import { openEntitiesClient } from '../legal-entities.ts'

/** Gives a merchant two legal entities, one of which is paid what is large. */
export async function openPayees(merchant: MerchantClient): Promise<void> {
  const { entity, route } = openEntitiesClient(merchant)
  await entity()
  const large = await entity({ legal_name: 'Nord Large SA' })
  await route(large.id, { when: { amount: { from: '80.00', currency: 'EUR' } } })
}
