import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance } from '../../server/admin/create-instance.ts'
import { readConfig } from '../../server/config.ts'
import { inTransaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/ids.ts'
import { createCheckstand } from '../../server/index.ts'
import { createClient } from '../../server/oauth/clients.ts'
import { insertGrant } from '../../server/oauth/grant-store.ts'
import { createLog } from '../../server/observe/log.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createHttpClient, merchantApi } from '../../test/client.ts'
import { freePort } from '../../test/program.ts'
import { type ShopIds, seedShop } from './seed-shop.ts'

/** The user of the shop. */
export const USER = { email: 'ana@atelier.example', password: 'correct horse battery' }

const BEGIN = Date.parse('2031-03-09T09:20:00Z')
const MINUTE_MS = 60_000
/** How long the jobs get for what they do with the last records. */
const JOBS_MS = 6000

export interface ServedShop {
  base: string
  ids: ShopIds
  /** Epoch milliseconds of the shop's clock, which stands still. */
  now: () => number
  close: () => Promise<void>
}

/** Serves a shop with a week of sales, with a database of its own; on a free port by default. */
export async function serveShop(wantedPort?: number): Promise<ServedShop> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-console-gallery-'))
  const port = wantedPort ?? (await freePort())
  const base = `http://localhost:${port}`
  let clock = BEGIN
  const checkstand = await createCheckstand({
    config: readConfig({
      HOST: 'localhost',
      PORT: String(port),
      BASE_URL: base,
      DATABASE_URL: `file:${join(folder, 'checkstand.db')}`,
      PAYER_PAUSE_MS: '0',
      API_RATE: '0',
    }),
    now: () => clock,
    log: createLog('silent'),
  })
  const { deps } = checkstand
  const named = { merchant: 'Atelier Nord', key: 'default', name: 'Atelier Nord', user: USER }
  const { instance, secretKey } = await createInstance(deps, named)
  await checkstand.start()
  const client = createHttpClient(base)
  const ids = await seedShop({
    client,
    api: merchantApi(client.call, { instance, secretKey }),
    pass: (minutes) => {
      clock += minutes * MINUTE_MS
    },
  })
  await connectPlatform()
  await new Promise((resolve) => setTimeout(resolve, JOBS_MS))
  await answerDeliveries()
  return {
    base,
    ids,
    now: () => clock,
    async close() {
      await checkstand.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  /** The receiver of the webhook, which does not exist, has answered at once. */
  async function answerDeliveries(): Promise<void> {
    await deps.db
      .updateTable('deliveries')
      .set((row) => ({
        status: 'DELIVERED',
        attempts: 1,
        response_status: 200,
        error: null,
        next_attempt: null,
        last_attempt: row.ref('created'),
        delivered: row.ref('created'),
      }))
      .execute()
    await deps.db.updateTable('webhook_endpoints').set({ failing_since: null }).execute()
  }

  /** A platform that the user of the shop has let in. */
  async function connectPlatform(): Promise<void> {
    const { clientId } = await createClient(deps, {
      name: 'Ledgerly',
      redirectUrls: ['https://ledgerly.example/callback'],
    })
    const { id: user_id } = await deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', USER.email)
      .executeTakeFirstOrThrow()
    const created = formatInstant(clock)
    const grant = { client_id: clientId, instance_id: instance.id, user_id, created }
    const used = { scopes: 'payments:read charges:read', revoked: null, last_used: created }
    await inTransaction(deps.db, (tx) =>
      insertGrant(tx, { id: newId('og', clock), ...grant, ...used }),
    )
  }
}
