import { parseArgs } from 'node:util'
import { createInstance } from '../instances/create.ts'
import { findNamedInstance, listInstances } from '../instances/store.ts'
import { disableInstance, enableInstance } from '../oauth/disable-instance.ts'
import { withDatabase } from './database.ts'
import { WrongUsage, print, required } from './usage.ts'

const HELP = `checkstand instance create --merchant NAME --key KEY --name NAME
    [--email E --password P] [--currency EUR] [--live] [--json]
checkstand instance list [--json]
checkstand instance disable --merchant NAME --key KEY [--json]
checkstand instance enable  --merchant NAME --key KEY [--json]

create makes the merchant when it is new, the instance, and, with --email, a new user of the
merchant, and prints the instance's first secret key. The key is shown once. Who is a user of the
merchant already reaches the new instance as they are.

disable shuts an instance at once: no key, user or platform reaches it, its links can no longer be
paid, and platforms lose what they were granted. Payments that are under way are settled; nothing
else is taken, and charges that come due wait. enable opens it again, with its keys, links and
charges as they were; platforms have to ask its users anew.`

const OPTIONS = {
  merchant: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  currency: { type: 'string' },
  live: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

/** `checkstand instance …` (contract section 22; safety section 1, rule 13). */
export async function instanceCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  if (values.help) {
    console.log(HELP)
    return
  }
  const [action] = positionals
  const json = values.json ?? false
  if (action === 'create') return print(await create(values), json)
  if (action === 'list') {
    return print({ instances: await withDatabase(({ db }) => listInstances(db)) }, json)
  }
  if (action === 'disable' || action === 'enable') {
    return print({ [`${action}d`]: await change(values, action) }, json)
  }
  throw new WrongUsage(HELP)
}

async function create(values: Values) {
  const { email, password } = values
  if ((email === undefined) !== (password === undefined)) {
    throw new WrongUsage('--email and --password go together')
  }
  const created = await withDatabase((tools) =>
    createInstance(tools, {
      merchant: required(values.merchant, 'merchant'),
      key: required(values.key, 'key'),
      name: required(values.name, 'name'),
      mode: values.live ? 'LIVE' : 'TEST',
      ...(values.currency === undefined ? {} : { currency: values.currency }),
      ...(email !== undefined && password !== undefined ? { user: { email, password } } : {}),
    }),
  )
  return {
    instance: created.instance.key,
    merchant: values.merchant,
    mode: created.instance.mode,
    secret_key: created.secretKey,
  }
}

/** Whose instance it is must be said: a wrong guess would shut somebody else's shop. */
async function change(values: Values, action: 'disable' | 'enable'): Promise<string> {
  const merchant = required(values.merchant, 'merchant')
  const key = required(values.key, 'key')
  await withDatabase(async (tools) => {
    const instance = await findNamedInstance(tools.db, merchant, key)
    if (!instance) throw new Error(`${merchant} has no instance with the key "${key}"`)
    const change = action === 'disable' ? disableInstance : enableInstance
    if (!(await change(tools, instance.id))) throw new Error(`It is ${action}d already`)
  })
  return key
}
