import { createCheckstand } from '../server/index.ts'
import { createInstance } from '../server/instances/create.ts'
import { createLog } from '../server/observe/log.ts'
import { readConfig } from '../server/config.ts'
import { fillAccounts } from './accounts.ts'

/**
 * The whole server with a few merchants, in a process of its own:
 * `node neighbours-server.ts <DATABASE_URL> <port>`. It listens, delivers webhooks and refuses as
 * in production; only the merchants' own rates are lifted, since the bench plays many of their days.
 */

/** What the server tells the bench through the process channel. */
export interface Ready {
  /** Where the API of each merchant begins, and how they identify themselves. */
  merchants: { api: string; authorization: string }[]
}

const MERCHANTS = 3
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
const merchants: Ready['merchants'] = []
for (let n = 0; n < MERCHANTS; n += 1) {
  const wanted = { merchant: `Merchant ${n}`, key: 'default', name: `Shop ${n}` }
  const { instance, secretKey } = await createInstance(checkstand.deps, wanted)
  // The first one attacks the others with all that it has.
  await fillAccounts(checkstand.deps.db, instance.id, n === 0 ? ACCOUNTS : 100)
  merchants.push({
    api: `http://127.0.0.1:${port}/c/api/instances/default`,
    authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
  })
}
await checkstand.start()
process.send?.({ merchants } satisfies Ready)
process.on('disconnect', () => void checkstand.close().then(() => process.exit(0)))
