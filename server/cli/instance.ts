import { parseArgs } from 'node:util'
import { createInstance } from '../instances/create.ts'
import { withDatabase } from './database.ts'
import { WrongUsage, print, required } from './usage.ts'

const HELP = `checkstand instance create --merchant NAME --key KEY --name NAME
    [--email E --password P] [--currency EUR] [--live] [--json]

Makes the merchant when it is new, the instance, and a user of the merchant, and prints the
instance's first secret key. The key is shown once.`

/** `checkstand instance create` (contract section 22). */
export async function instanceCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      merchant: { type: 'string' },
      key: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      currency: { type: 'string' },
      live: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  if (positionals[0] !== 'create') throw new WrongUsage(HELP)
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
      ...(values.currency ? { currency: values.currency } : {}),
      ...(email && password ? { user: { email, password } } : {}),
    }),
  )
  print(
    {
      instance: created.instance.key,
      merchant: values.merchant,
      mode: created.instance.mode,
      secret_key: created.secretKey,
    },
    values.json ?? false,
  )
}
