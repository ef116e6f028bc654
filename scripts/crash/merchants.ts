import { findOrCreateActorSession, SYSTEM } from '../../server/actor-sessions/store.ts'
import { createInstance } from '../../server/admin/create-instance.ts'
import { readConfig } from '../../server/config.ts'
import type { Deps } from '../../server/deps.ts'
import { createCheckstand } from '../../server/index.ts'
import { createLegalEntity } from '../../server/legal-entities/create.ts'
import { createRoute } from '../../server/legal-entity-routes/change.ts'
import { createClient } from '../../server/oauth/clients.ts'
import { createLog } from '../../server/observe/log.ts'

/** Two merchants on one server, whose records must never meet, and the platform of the first. */

/** Their secret keys. */
export const SECRET_KEYS = {
  first: 'sk_test_first_4f9c21d07ab83e65c1f2970d8be4a3f6',
  second: 'sk_test_second_4f9c21d07ab83e65c1f2970d8be4a3f6',
} as const

export type MerchantName = keyof typeof SECRET_KEYS

/** Each marks all that it writes. */
export const MARK: Record<MerchantName, string> = {
  first: 'canary-of-first',
  second: 'canary-of-second',
}

/** The user of the first. */
export const ADMIN = { email: 'ada@shop.example', password: 'correct horse battery' }

/** Where the platform's users come back to. */
export const REDIRECT = 'https://platform.example/callback'

export interface Platform {
  clientId: string
  clientSecret: string
}

/** Creates both merchants and the platform in a new database. Returns the ids of their instances too. */
export async function createMerchants(
  databaseUrl: string,
): Promise<{ platform: Platform; instances: Record<MerchantName, string> }> {
  const config = readConfig({ DATABASE_URL: databaseUrl })
  const checkstand = await createCheckstand({ config, log: createLog('silent') })
  const { deps } = checkstand
  const instances = { first: '', second: '' }
  for (const name of ['first', 'second'] as const) {
    const user = name === 'first' ? { user: ADMIN } : {}
    const secretKey = SECRET_KEYS[name]
    const members = { merchant: name, key: 'default', name, secretKey, ...user }
    const { instance } = await createInstance(deps, members)
    instances[name] = instance.id
    await openPayees(deps, instance.id)
  }
  const redirectUrls = [REDIRECT]
  const { clientId, clientSecret = '' } = await createClient(deps, {
    name: 'Ledgerly',
    redirectUrls,
  })
  await checkstand.close()
  return { platform: { clientId, clientSecret }, instances }
}

/** The legal entity that is paid from `LARGE` on; another one is paid what is less. */
export const LARGE_PAYEE = 'Large Ltd'
/** Minor units of EUR. */
export const LARGE = 3000

async function openPayees(deps: Deps, instanceId: string): Promise<void> {
  const by = await findOrCreateActorSession(deps, instanceId, SYSTEM)
  await createLegalEntity(deps, instanceId, { legal_name: 'Small Ltd', country: 'GB' }, by)
  const large = { legal_name: LARGE_PAYEE, country: 'GB' }
  const { id } = await createLegalEntity(deps, instanceId, large, by)
  const when = { amount: { from: (LARGE / 100).toFixed(2), currency: 'EUR' } }
  await createRoute(deps, { instanceId, by }, { legal_entity: id, when })
}
