import { readConfig } from '../config.ts'
import { type Checkstand, createCheckstand } from '../index.ts'
import { ensureFirstInstance, type FirstKey } from '../admin/first-instance.ts'
import { createFirstUserLink } from '../users/first-user.ts'
import { banner } from './banner.ts'
import { demoLink } from './demo-link.ts'
import { type DisplaySecret, createSecretDisplay } from './first-start.ts'
import { readOptions } from './usage.ts'
import { setV8Options } from './v8-options.ts'
import { warmUp } from './warm-up.ts'
import type { Log } from '../observe/log.ts'

const HELP = `npx checkstand serve | demo

Starts the server. Migrates the database, and creates the first instance in a new one. demo also
creates a link that test cards can pay. Settings come from the environment; see docs/settings.md.

The first secret key and the link that creates the first user are printed at a terminal. Otherwise,
as in a container, they are written to first-start.txt beside the database, which only the server's
user can read.`

const FIRST_WAIT_MS = 60_000

/** `checkstand serve` and `checkstand demo`. Runs until SIGTERM or SIGINT. */
export async function serve(args: string[], options: { demo: boolean }): Promise<void> {
  if (!readOptions(args, { help: HELP, options: {} })) return
  setV8Options()
  const config = readConfig()
  const demo = config.demo ?? options.demo
  const checkstand = await createCheckstand({ config, serves: true })
  closeOnSignals(checkstand)
  const isTerminal = process.stdout.isTTY
  const show = createSecretDisplay(config, isTerminal)
  let unshownKey: string | undefined
  try {
    const { deps } = checkstand
    // Several processes may start on a new database at the same time.
    const first = await deps.locks.withLock(
      'first-instance',
      { waitMs: FIRST_WAIT_MS },
      async (db) => {
        const created = await ensureFirstInstance(
          { ...deps, db },
          demo ? 'Corner Shop' : 'My company',
        )
        const hasLink = demo && created.instance.mode === 'TEST'
        return {
          ...created,
          link: hasLink ? await demoLink({ ...deps, db }, created.instance) : undefined,
        }
      },
    )
    const secretKey = showKey(first.secretKey, show)
    if (isTerminal && typeof secretKey !== 'string') unshownKey = secretKey.generated
    const firstUserLink = await createFirstUserLink(deps)
    const firstUser =
      firstUserLink &&
      show({
        name: 'Begin here',
        value: `${firstUserLink} (works once, within a day)`,
        replaceWith: 'npx checkstand user create',
      })
    await checkstand.start(config.warmUp ? () => warmUpOrWarn(deps.log) : undefined)
    console.log(banner({ config, ...first, secretKey, firstUser }))
  } catch (error) {
    // Only the key's hash is stored. Without a terminal the key is in its file by now.
    if (unshownKey) console.log(`Secret key (shown once): ${unshownKey}`)
    await checkstand.close()
    throw error
  }
}

/** A server that cannot warm up is slower at first, and takes payments all the same. */
const warmUpOrWarn = (log: Log) =>
  warmUp().catch((err: unknown) => log.warn({ err }, 'the server could not warm up'))

/** Shows a key that was just created. */
function showKey(key: FirstKey, show: DisplaySecret): FirstKey {
  if (typeof key === 'string') return key
  return {
    generated: show({
      name: 'Secret key',
      value: key.generated,
      replaceWith: 'npx checkstand key create',
    }),
  }
}

/** The first signal closes the server; a second one exits at once. */
function closeOnSignals(checkstand: Checkstand): void {
  let isClosing = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1)
      isClosing = true
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
