import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type Checkstand, createCheckstand } from '../index.ts'
import { ensureFirstInstance, type FirstKey } from '../admin/first-instance.ts'
import { createFirstUserLink } from '../users/first-user.ts'
import { banner } from './banner.ts'
import { demoLink } from './demo-link.ts'
import { type DisplaySecret, createSecretDisplay } from './first-start.ts'

const HELP = `npx checkstand serve | demo

Starts the server: brings the database to the current schema, makes the first instance when the
database is new, and listens. demo also makes a link that can be paid with a test card. Settings
come from the environment; see docs/settings.md.

The first secret key and the link that makes the first user are shown at a terminal. Where standard
output is none, as in a container, they are written to first-start.txt beside the database, which
only the user of the server can read.`

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
  const isTerminal = process.stdout.isTTY
  const show = createSecretDisplay(config, isTerminal)
  let unseenKey: string | undefined
  try {
    const { deps } = checkstand
    // Of several processes that start together on a new database, one makes what is missing.
    const made = await deps.locks.withLock(
      'first-instance',
      { waitMs: FIRST_WAIT_MS },
      async (db) => {
        const first = await ensureFirstInstance(
          { ...deps, db },
          demo ? 'Corner Shop' : 'My company',
        )
        const shows = demo && first.instance.mode === 'TEST'
        return {
          ...first,
          link: shows ? await demoLink({ ...deps, db }, first.instance) : undefined,
        }
      },
    )
    const secretKey = showKey(made.secretKey, show)
    if (isTerminal && typeof secretKey !== 'string') unseenKey = secretKey.made
    const firstLink = await createFirstUserLink(deps)
    const firstSignIn =
      firstLink &&
      show({
        name: 'First user',
        value: `${firstLink} (works once, within a day)`,
        another: 'npx checkstand user create',
      })
    await checkstand.start()
    console.log(banner({ config, ...made, secretKey, firstSignIn }))
  } catch (error) {
    // It is made once, and what is stored of it cannot be turned back into it. Elsewhere than at a
    // terminal it has been written to its file by now.
    if (unseenKey) console.log(`Secret key, which is shown only now: ${unseenKey}`)
    await checkstand.close()
    throw error
  }
}

/** Shows a key that was made just now, and only ever now. */
function showKey(key: FirstKey, show: DisplaySecret): FirstKey {
  if (typeof key === 'string') return key
  const another = 'npx checkstand key create'
  return { made: show({ name: 'Secret key', value: key.made, another }) }
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
