import { createInstance } from '../../server/admin/create-instance.ts'
import { readConfig } from '../../server/config.ts'
import { type Checkstand, type CheckstandOptions, createCheckstand } from '../../server/index.ts'
import { createLog } from '../../server/observe/log.ts'
import { basic } from '../../test/client.ts'
import { PROGRAM_KEY } from '../../test/program.ts'

/** Where the API of every bench's merchant begins, and how the merchant identifies itself. */
export const API = '/c/api/instances/default'
export const AUTHORIZATION = basic(`${PROGRAM_KEY}:`)

/** One client plays all payers and merchants, faster than any of them. */
export const UNLIMITED = { PAYER_PAUSE_MS: '0', PAYER_RATE: '0', API_RATE: '0' }

/** Opens the product without limits and without a log. */
export function openCheckstand(
  settings: Record<string, string>,
  options: Pick<CheckstandOptions, 'groupCommit'> = {},
): Promise<Checkstand> {
  const config = readConfig({ ...UNLIMITED, ...settings })
  return createCheckstand({ config, log: createLog('silent'), ...options })
}

/** Creates the nth merchant of a bench. The first has the key of every bench. */
export async function newInstance({ deps }: Checkstand, n = 0) {
  const secretKey = n === 0 ? { secretKey: PROGRAM_KEY } : {}
  const names = { merchant: `Merchant ${n}`, key: 'default', name: `Shop ${n}` }
  return createInstance(deps, { ...names, ...secretKey })
}
