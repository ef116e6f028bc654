import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { createProcessorRequest } from '../../shared/schemas/processor.ts'
import { findOrCreateActorSession, SYSTEM } from '../actor-sessions/store.ts'
import { withClockOf } from '../clock.ts'
import { readConfig } from '../config.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { validationMessage } from '../http/validation-message.ts'
import { createCheckstand } from '../index.ts'
import { getInstance } from '../instances/store.ts'
import { createLog } from '../observe/log.ts'
import { checkConnection } from '../processor-connections/check.ts'
import { createConnection } from '../processor-connections/create.ts'
import { disableConnection } from '../processor-connections/disable.ts'
import { reencryptTotpSecrets } from '../users/factors/reencrypt.ts'
import { reencryptSecrets } from '../processor-connections/reencrypt.ts'
import { rotateWebhookSecret } from '../processor-connections/rotate-webhook-secret.ts'
import { serializeConnection } from '../processor-connections/serialize.ts'
import {
  type ConnectionRow,
  findConnection,
  listAllConnections,
} from '../processor-connections/store.ts'
import { secretsProblem } from '../processor-connections/unreadable-secrets.ts'
import { assertDatabase, withDatabase } from './database.ts'
import { getNamedInstance } from './named-instance.ts'
import { print, printList } from './output.ts'
import { readSecret } from './password.ts'
import { readUsage, UsageError } from './usage.ts'

const HELP = `npx checkstand processor add stripe [--merchant NAME] [--instance KEY] [--secrets FILE]
    [--settings JSON] [--json]
npx checkstand processor list [--merchant NAME] [--instance KEY] [--json]
npx checkstand processor check <pr_id> [--json]
npx checkstand processor rotate <pr_id> [--secrets FILE] [--json]
npx checkstand processor disable <pr_id> [--json]
npx checkstand processor reencrypt [--json]

add connects an account at a processor to an instance: the first merchant's first one, unless named.
The keys are lines of a file, or of standard input; a terminal prompts for each:

  secret_key=rk_test_…
  publishable_key=pk_test_…
  webhook_secret=whsec_…

webhook_secret is for a webhook endpoint that you made yourself; otherwise it is made for you.

  --secrets FILE   read the keys from a file
  --settings JSON  settings of the processor, such as {"methods":["CARD","IDEAL"]}

list shows whether the stored keys can be decrypted. check asks the processor whether it accepts the
key. rotate replaces the secret of the webhook endpoint. disable ends new payments. reencrypt encrypts
all keys with the first of CHECKSTAND_ENCRYPTION_KEY.`

const OPTIONS = {
  merchant: { type: 'string' },
  instance: { type: 'string' },
  secrets: { type: 'string' },
  settings: { type: 'string' },
} as const

const ACTIONS = { add: 1, list: 0, check: 1, rotate: 1, disable: 1, reencrypt: 0 } as const

const read = (args: string[]) => readUsage(args, { help: HELP, actions: ACTIONS, options: OPTIONS })

type Values = NonNullable<ReturnType<typeof read>>['values']

/** `checkstand processor …`. */
export async function processorCommand(args: string[]): Promise<void> {
  const usage = read(args)
  if (!usage) return
  const { values, action, argument, json } = usage
  switch (action) {
    case 'add':
      return print(await add(argument, values), json)
    case 'list':
      return printList('processors', await list(values), json)
    case 'check':
      return print(await onConnection(argument, checkConnection), json)
    case 'disable':
      return print(await onConnection(argument, disableConnection), json)
    case 'rotate': {
      const { webhook_secret: secret } =
        values.secrets === undefined ? {} : parseSecrets(readFileSync(values.secrets, 'utf8'))
      const rotate: OnConnection = (deps, instance, id, actorSession) =>
        rotateWebhookSecret(deps, instance, id, { secret, actorSession })
      return print(await onConnection(argument, rotate), json)
    }
    case 'reencrypt': {
      const reencrypted = await withDatabase(
        async ({ db }) =>
          (await reencryptSecrets({ db, config: readConfig() })) +
          (await reencryptTotpSecrets({ db, config: readConfig() })),
      )
      return print({ reencrypted }, json)
    }
  }
}

async function add(name: string, values: Values) {
  const text =
    values.secrets === undefined ? await promptSecrets() : readFileSync(values.secrets, 'utf8')
  const body = { processor: { name, ...parseSecrets(text), settings: parseSettings(values) } }
  const parsed = createProcessorRequest.safeParse(body)
  if (!parsed.success) throw new UsageError(validationMessage(parsed.error))
  return withServer(async (deps) => {
    const instance = await getNamedInstance(deps.db, values)
    const actorSession = await findOrCreateActorSession(deps, instance.id, SYSTEM)
    const made = await createConnection(deps, instance, parsed.data.processor, { actorSession })
    return summary(deps, made)
  })
}

async function list(values: Values) {
  const config = readConfig()
  const isNamed = values.merchant !== undefined || values.instance !== undefined
  return withDatabase(async ({ db }) => {
    const named = isNamed ? await getNamedInstance(db, values) : undefined
    const rows = await listAllConnections(db, named?.id)
    return Promise.all(
      rows.map(async (row) => {
        const { webhook } = serializeConnection(config, row)
        return {
          id: row.id,
          instance: (await getInstance(db, row.instance_id)).key,
          name: row.name,
          mode: row.mode,
          status: row.status,
          account: row.account,
          key_hint: row.key_hint,
          webhook: webhook.status,
          last_heard: row.last_heard,
          keys: secretsProblem(config, row) ?? 'readable',
        }
      }),
    )
  })
}

type OnConnection = (
  deps: Deps,
  instance: Instance,
  id: string,
  actorSession: string,
) => Promise<ConnectionRow>

async function onConnection(id: string, act: OnConnection) {
  return withServer(async (deps) => {
    const found = await findConnection(deps.db, id)
    if (!found) throw new Error(`${id} not found; \`npx checkstand processor list\` lists all`)
    const instance = await getInstance(deps.db, found.instance_id)
    return withClockOf(instance, async () => {
      const actorSession = await findOrCreateActorSession(deps, instance.id, SYSTEM)
      return summary(deps, await act(deps, instance, id, actorSession))
    })
  })
}

function summary({ config }: Pick<Deps, 'config'>, row: ConnectionRow) {
  const { id, status, account, webhook } = serializeConnection(config, row)
  const byHand = webhook.status === 'MISSING' && {
    webhook_url: webhook.url,
    webhook_events: webhook.events,
  }
  return { processor: id, status, account, webhook: webhook.status, ...byHand }
}

async function withServer<T>(run: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig()
  assertDatabase(config.databaseUrl)
  // Standard output is the command's result.
  const log = createLog(config.logLevel, process.stderr)
  const checkstand = await createCheckstand({ config, log })
  try {
    return await run(checkstand.deps)
  } finally {
    await checkstand.close()
  }
}

const MEMBERS = ['secret_key', 'publishable_key', 'webhook_secret'] as const

/** All of standard input, or one answer for each key at a terminal. */
async function promptSecrets(): Promise<string> {
  if (!process.stdin.isTTY) return readSecret('')
  const lines: string[] = []
  for (const member of MEMBERS.slice(0, 2)) {
    lines.push(`${member}=${await readSecret(`${member}: `)}`)
  }
  return lines.join('\n')
}

/** Throws UsageError for a line of another form, without repeating it. */
function parseSecrets(text: string): Partial<Record<(typeof MEMBERS)[number], string>> {
  const lines = text.split('\n').map((line) => line.trim())
  const found = lines.flatMap((line, at): [string, string][] => {
    if (line === '' || line.startsWith('#')) return []
    const [, member = '', value = ''] = /^(\w+)\s*=\s*(\S+)$/.exec(line) ?? []
    if (!(MEMBERS as readonly string[]).includes(member)) {
      throw new UsageError(`Line ${at + 1} of the keys must be like secret_key=…`)
    }
    return [[member, value]]
  })
  return Object.fromEntries(found)
}

function parseSettings({ settings }: Values): Record<string, unknown> | undefined {
  if (settings === undefined) return undefined
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(settings))
    if (parsed.success) return parsed.data
  } catch {
    // Not JSON.
  }
  throw new UsageError('--settings must be a JSON object, such as {"methods":["CARD"]}')
}
