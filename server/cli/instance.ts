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

create makes the merchant when it is new, the instance, and, with --email, a new user of the
merchant, and prints the instance's first secret key. The key is shown once, and so is the user's
password unless one is given. Who is a user of the merchant already reaches the new instance as they
are.

${PASSWORD_HELP}

disable shuts an instance at once: no key, user or platform reaches it, its links can no longer be
paid, and platforms lose what they were granted. Payments that are under way are settled; nothing
else is taken, and charges that come due wait. enable opens it again, with its keys, links and
charges as they were; platforms have to ask its users anew.`

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
  const given = await readPassword(values)
  if (email === undefined && given !== undefined) {
    throw new UsageError('A password is for a new user: --email is required')
  }
  const user = email === undefined ? undefined : { email, password: given ?? generatePassword() }
  const wanted = {
    merchant: requireOption(values.merchant, 'merchant'),
    key: requireOption(values.key, 'key'),
    name: requireOption(values.name, 'name'),
    mode: values.live ? 'LIVE' : 'TEST',
    ...(values.currency === undefined ? {} : { currency: values.currency }),
    ...(user === undefined ? {} : { user }),
  } as const
  const created = await withDatabase((tools) =>
    createInstance(tools, wanted).catch((error: Error) => {
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
    ...(user && given === undefined ? { password: user.password } : {}),
  }
}

/** Whose instance it is must be said: a wrong guess would shut somebody else's shop. */
async function change(values: Values, action: 'disable' | 'enable'): Promise<string> {
  const merchant = requireOption(values.merchant, 'merchant')
  const key = requireOption(values.key, 'key')
  const mode = await withDatabase(async (tools) => {
    const instance = await getNamedInstance(tools.db, { merchant, instance: key })
    const change = action === 'disable' ? disableInstance : enableInstance
    if (!(await change(tools, instance.id))) throw new Error(`It is ${action}d already`)
    return instance.mode
  })
  if (action === 'enable' && mode === 'LIVE') warnOfProxies()
  return key
}

/** The server runs with settings of its own, and refuses links and its next start without this one. */
function warnOfProxies(): void {
  if (readConfig().trustProxy === undefined) console.error(`For the server: ${PROXY_HELP}`)
}
