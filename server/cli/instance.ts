import { readConfig } from '../config.ts'
import { PROXY_HELP } from '../http/proxies.ts'
import { createInstance } from '../admin/create-instance.ts'
import { listInstances } from '../instances/store.ts'
import { disableInstance, enableInstance } from '../admin/disable-instance.ts'
import { withDatabase } from './database.ts'
import { getNamedInstance } from './named-instance.ts'
import { PASSWORD_HELP, PASSWORD_OPTIONS, generatePassword, readPassword } from './password.ts'
import { print, printList } from './output.ts'
import { UsageError, readUsage, requireOption } from './usage.ts'

const HELP = `npx checkstand instance create --merchant NAME --key KEY --name NAME
    [--email E [--password-stdin]] [--currency EUR] [--live] [--json]
npx checkstand instance list [--json]
npx checkstand instance disable --merchant NAME --key KEY [--json]
npx checkstand instance enable  --merchant NAME --key KEY [--json]

create creates the merchant if it is new, the instance, and, with --email, a user of the merchant. It
prints the instance's first secret key. The key is shown once, and so is the user's password unless
one is given. Existing users of the merchant have access to the new instance.

${PASSWORD_HELP}

disable takes effect at once: keys, users and platforms lose access, links cannot be paid, and the
grants of platforms are revoked. Payments in progress are settled; due charges wait. enable restores
keys, links and charges; platforms need a new approval.`

const ACTIONS = { create: 0, list: 0, disable: 0, enable: 0 } as const

const OPTIONS = {
  merchant: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  ...PASSWORD_OPTIONS,
  currency: { type: 'string' },
  live: { type: 'boolean' },
} as const

const read = (args: string[]) => readUsage(args, { help: HELP, actions: ACTIONS, options: OPTIONS })

type Values = NonNullable<ReturnType<typeof read>>['values']

/** `checkstand instance …`. */
export async function instanceCommand(args: string[]): Promise<void> {
  const usage = read(args)
  if (!usage) return
  const { values, action, json } = usage
  if (action === 'create') return print(await create(values), json)
  if (action === 'list') {
    return printList('instances', await withDatabase(({ db }) => listInstances(db)), json)
  }
  print({ [`${action}d`]: await change(values, action) }, json)
}

async function create(values: Values) {
  const { email } = values
  const password = await readPassword(values)
  if (email === undefined && password !== undefined) {
    throw new UsageError('A password needs --email')
  }
  const user = email === undefined ? undefined : { email, password: password ?? generatePassword() }
  const input = {
    merchant: requireOption(values.merchant, 'merchant'),
    key: requireOption(values.key, 'key'),
    name: requireOption(values.name, 'name'),
    mode: values.live ? 'LIVE' : 'TEST',
    ...(values.currency === undefined ? {} : { currency: values.currency }),
    ...(user === undefined ? {} : { user }),
  } as const
  const created = await withDatabase((tools) =>
    createInstance(tools, input).catch((error: Error) => {
      throw new Error(error.message.replace(/^default_currency /, '--currency '), {
        cause: error.cause,
      })
    }),
  )
  if (values.live) warnOfProxies()
  return {
    instance: created.instance.key,
    merchant: values.merchant,
    mode: created.instance.mode,
    secret_key: created.secretKey,
    ...(user && password === undefined ? { password: user.password } : {}),
  }
}

/** Requires the merchant: a default could disable the wrong instance. */
async function change(values: Values, action: 'disable' | 'enable'): Promise<string> {
  const merchant = requireOption(values.merchant, 'merchant')
  const key = requireOption(values.key, 'key')
  const mode = await withDatabase(async (tools) => {
    const instance = await getNamedInstance(tools.db, { merchant, instance: key })
    const change = action === 'disable' ? disableInstance : enableInstance
    if (!(await change(tools, instance.id))) throw new Error(`The instance is ${action}d already`)
    return instance.mode
  })
  if (action === 'enable' && mode === 'LIVE') warnOfProxies()
  return key
}

/** The server has its own environment, which this command cannot see (D76). */
function warnOfProxies(): void {
  if (readConfig().trustProxy === undefined) console.error(`For the server: ${PROXY_HELP}`)
}
