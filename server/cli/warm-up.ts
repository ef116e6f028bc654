import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance } from '../admin/create-instance.ts'
import { readConfig } from '../config.ts'
import { type Checkstand, createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'

/** V8 compiles what has run some hundred times; a slow machine is ready without. */
const ROUNDS = 100
const MS_MAX = 1000

const ORIGIN = 'http://localhost:4242'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const LINK = { payment_link: { options: { amount: '24.00', currency: 'EUR', name: 'Coffee' } } }
const CARD = { card: { number: '4242424242424242', exp_month: 12, exp_year: 2099, csc: '123' } }

/**
 * Makes, reads, opens and pays links in a database of its own, so that the first payers do not wait for the compiler.
 * Resolves after a second or so. Rejects when there is no folder for temporary files, or a request fails.
 */
export async function warmUp(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-warm-up-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A server that is stopped meanwhile leaves nothing behind either.
  process.once('exit', remove)
  try {
    const checkstand = await createCheckstand({
      config: readConfig({
        DATABASE_URL: `file:${folder}/warm-up.db`,
        PAYER_PAUSE_MS: '0',
        PAYER_RATE: '0',
        API_RATE: '0',
      }),
      log: createLog('silent'),
      hasDiskSpace: () => true,
    })
    try {
      await payLinks(checkstand)
    } finally {
      await checkstand.close()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

async function payLinks({ deps, fetch }: Checkstand): Promise<void> {
  const { secretKey } = await createInstance(deps, {
    merchant: 'Warm-up',
    key: 'default',
    name: 'Warm-up',
  })
  const merchant = { Authorization: `Basic ${btoa(`${secretKey}:`)}` }
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(
      new Request(ORIGIN + path, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { ...JSON_TYPE, ...headers },
      }),
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered with ${response.status}: ${text}`)
    return text
  }
  const links = '/c/api/instances/default/payment_links'
  const until = performance.now() + MS_MAX
  for (let round = 0; round < ROUNDS && performance.now() < until; round += 1) {
    const { payment_link: link } = JSON.parse(await call(links, LINK, merchant))
    await call(`${links}/${link.id}`, undefined, merchant)
    await call(`/pay/${link.id}`)
    const { token, checkout } = JSON.parse(await call(`/pay/${link.id}/checkouts`, {}))
    const card = JSON.parse(await call('/sandbox/tokens', CARD))
    await call(
      '/pay/checkouts/current/submit',
      {
        attempt_key: randomUUID(),
        options_v: checkout.options_v,
        payment_method: { type: 'CARD', processor: 'sandbox', token: card.token },
      },
      { Authorization: `Bearer ${token}` },
    )
    // Requests that have come meanwhile go first.
    await new Promise(setImmediate)
  }
}
