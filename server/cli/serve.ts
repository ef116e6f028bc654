import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import type { Checkstand } from '../index.ts'
import { ensureFirstInstance } from '../instances/seed.ts'
import { createLink } from '../payment-links/create.ts'
import { payUrl } from '../payment-links/record.ts'
import { makeFirstSignIn } from '../users/first.ts'
import { banner } from './banner.ts'

const HELP = `checkstand serve | demo

Starts the server: brings the database to the current schema, makes the first instance when the
database is new, and listens. demo also makes a link that can be paid with a test card. Settings
come from the environment; see the README.`

const FIRST_WAIT_MS = 60_000

/** `checkstand serve` and `checkstand demo`. Runs until SIGTERM or SIGINT. */
export async function serve(args: string[], options: { demo: boolean }): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log(HELP)
    return
  }
  const config = readConfig()
  const demo = config.demo ?? options.demo
  const checkstand = await createCheckstand({ config, serves: true })
  endOnSignals(checkstand)
  let unseenKey: string | undefined
  try {
    const { deps } = checkstand
    // Of several processes that start together on a new database, one makes it.
    const first = await deps.locks.withLock('first-instance', { waitMs: FIRST_WAIT_MS }, (db) =>
      ensureFirstInstance({ ...deps, db }, demo ? 'Corner Shop' : 'My company'),
    )
    unseenKey = typeof first.secretKey === 'string' ? undefined : first.secretKey.made
    const link =
      demo && first.instance.mode === 'TEST'
        ? await demoLink(checkstand, first.instance)
        : undefined
    const firstSignIn = await makeFirstSignIn(deps)
    await checkstand.start()
    const { instance, secretKey } = first
    console.log(banner({ config, instance, secretKey, link, firstSignIn }))
  } catch (error) {
    // It is made once, and what is stored of it cannot be turned back into it.
    if (unseenKey) console.log(`Secret key, which is shown only now: ${unseenKey}`)
    await checkstand.close()
    throw error
  }
}

async function demoLink(
  { deps }: Checkstand,
  instance: Parameters<typeof createLink>[1],
): Promise<string> {
  const link = await createLink(deps, instance, {
    options: {
      amount: '24.00',
      currency: 'EUR',
      name: 'Two bags of coffee',
      alt_key: 'order-1001',
      description: 'Espresso roast, 2 × 500 g',
    },
  })
  return payUrl(deps.config.baseUrl, link.id)
}

/** The first signal ends cleanly; a second one ends at once, which crash safety makes harmless. */
function endOnSignals(checkstand: Checkstand): void {
  let ending = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1)
      ending = true
      checkstand.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}
