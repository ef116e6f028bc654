import type { Instance } from '../db/tables/instances.ts'
import type { Db } from '../db/tables.ts'
import {
  createClient,
  listClientSummaries,
  disableClient,
  revokeClientGrants,
} from '../oauth/clients.ts'
import { listGrants } from '../oauth/grant-store.ts'
import { withDatabase } from './database.ts'
import { type InstanceSelector, getNamedInstance } from './named-instance.ts'
import { print, printList } from './output.ts'
import { readUsage, requireOption } from './usage.ts'

const HELP = `npx checkstand client create --name NAME --redirect-url URL [--redirect-url URL2]
    [--scope "payments:read payments:write"] [--require-pkce] [--public] [--development] [--json]
npx checkstand client list [--json]
npx checkstand client disable <client_id> [--json]
npx checkstand client grants [--merchant NAME] [--instance KEY] [--json]
npx checkstand client revoke <client_id> [--merchant NAME] [--instance KEY] [--json]

A client is a platform that accesses the data of merchants who approve it. Its secret is shown once.

  --scope         the scopes that it can request; read write by default. Areas: payment_links, payments,
                  accounts, charges, strings, webhooks, instances, processors, each with :read or
                  :write. read and write alone mean all areas, but write does not
                  include processors:write: it decides where the money goes
  --require-pkce  reject requests without PKCE
  --public        a client without a secret; requires PKCE
  --development   allow redirect URLs at http://localhost and http://127.0.0.1

disable also revokes all grants of the client. grants lists the grants of one instance, and revoke
revokes those to one client. The instance is the first merchant's first one, unless named.`

const OPTIONS = {
  name: { type: 'string' },
  'redirect-url': { type: 'string', multiple: true },
  scope: { type: 'string' },
  'require-pkce': { type: 'boolean' },
  public: { type: 'boolean' },
  development: { type: 'boolean' },
  merchant: { type: 'string' },
  instance: { type: 'string' },
} as const

const ACTIONS = { create: 0, list: 0, disable: 1, grants: 0, revoke: 1 } as const

/** `checkstand client …`. */
export async function clientCommand(args: string[]): Promise<void> {
  const usage = readUsage(args, { help: HELP, actions: ACTIONS, options: OPTIONS })
  if (!usage) return
  const { values, action, argument: id, json } = usage
  if (action === 'create') {
    const input = {
      name: requireOption(values.name, 'name'),
      redirectUrls: values['redirect-url'] ?? [requireOption(undefined, 'redirect-url')],
      scopes: values.scope,
      requirePkce: values['require-pkce'] ?? false,
      isPublic: values.public ?? false,
      development: values.development ?? false,
    }
    const client = await withDatabase((tools) => createClient(tools, input))
    const secret = client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }
    return print({ client_id: client.clientId, ...secret, scope: client.scopes }, json)
  }
  if (action === 'list') {
    return printList('clients', await withDatabase(({ db }) => listClientSummaries(db)), json)
  }
  if (action === 'disable') {
    const disabled = await withDatabase((tools) => disableClient(tools, id))
    if (!disabled) throw new Error('Client not found or already disabled')
    return print({ disabled: id }, json)
  }
  if (action === 'grants') {
    const grants = await withInstance(values, ({ db }, { id }) => listGrants(db, id))
    return printList('grants', grants, json)
  }
  const revoked = await withInstance(values, (tools, instance) =>
    revokeClientGrants(tools, id, instance.id),
  )
  if (revoked === 0) throw new Error('The instance has no grant to this client')
  print({ revoked }, json)
}

function withInstance<T>(
  selector: InstanceSelector,
  run: (tools: { db: Db; now: () => number }, instance: Instance) => Promise<T>,
): Promise<T> {
  return withDatabase(async (tools) => run(tools, await getNamedInstance(tools.db, selector)))
}
