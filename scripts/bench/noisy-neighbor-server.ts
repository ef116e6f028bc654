import { createCheckstand } from '../../server/index.ts'
import { createInstance } from '../../server/admin/create-instance.ts'
import { createLog } from '../../server/observe/log.ts'
import { readConfig } from '../../server/config.ts'
import { fillAccounts } from './seed-accounts.ts'

/**
 * The whole server with a few merchants, in a process of its own:
 * `node noisy-neighbor-server.ts <DATABASE_URL> <port>`. It listens, delivers webhooks and refuses as
 * in production; only the merchants' own rates are lifted, since the bench plays many of their days.
 */

/** The server's message to the bench over the process channel. */
export interface Ready {
  merchants: [Merchant, Merchant, Merchant]
}

export interface Merchant {
  /** Where the API begins, and how the merchant identifies itself. */
  api: string
  authorization: string
}

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 50_000)

const [databaseUrl = '', port = ''] = process.argv.slice(2)
const checkstand = await createCheckstand({
  config: readConfig({
    DATABASE_URL: databaseUrl,
    PORT: port,
    API_RATE: '0',
    PAYER_RATE: '0',
    LOG_LEVEL: 'silent',
  }),
  log: createLog('silent'),
})
/** The nth merchant, with so many accounts. */
async function open(n: number, accounts: number): Promise<Merchant> {
  const input = { merchant: `Merchant ${n}`, key: 'default', name: `Shop ${n}` }
  const { instance, secretKey } = await createInstance(checkstand.deps, input)
  await fillAccounts(checkstand.deps.db, instance.id, accounts)
  return {
    api: `http://127.0.0.1:${port}/c/api/instances/default`,
    authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
  }
}

// The first one attacks the others with all that it has.
const merchants: Ready['merchants'] = [
  await open(0, ACCOUNTS),
  await open(1, 100),
  await open(2, 100),
]
await checkstand.start()
process.send?.({ merchants } satisfies Ready)
process.on('disconnect', () => void checkstand.close().then(() => process.exit(0)))
