import { foldCounts } from '../../server/checkout-monitor/fold-changes.ts'
import { fileInsights } from '../../server/insights/file.ts'
import { recordCounts } from '../../server/checkout-monitor/record-counts.ts'
import { getCheckout } from '../../server/checkouts/store.ts'
import { inTransaction } from '../../server/db/transaction.ts'
import { approve, newPlatform, newTokens, newUser, withToken } from '../oauth.ts'
import { type ApiResponse, basic, type Call, type TestApp } from '../app.ts'
import { type Finder, secretsOf } from './answers.ts'
import { type Names, absentNames } from './names.ts'
import { type Census, type Rows, rowsOf, takeCensus } from './rows.ts'
import { makeTenant, type Tenant } from './tenant.ts'

/** Marks the target's texts. No other tenant sends it. */
export const SECRET = 'quokkasecret'
/** Marks the target's keys. */
export const KEYS = 'numbat'

export interface Intruder extends Tenant {
  /** Who it is, for messages. */
  as: string
  /** Calls the merchant's API with the intruder's own credentials. */
  call: (path: string, call?: Call) => Promise<ApiResponse>
}

/** The target's rows and secrets, which no other tenant may change or read. */
export interface Watch {
  census: Census
  /** All that the target has, at this moment. */
  rows: () => Promise<Rows>
  leaks: Finder
}

export interface Tenants extends Watch {
  target: Tenant
  absent: Names
  intruders: Intruder[]
  /** What the first intruder sends to identify itself, and what the second does. */
  keyHeader: string
  tokenHeader: string
}

/** Creates the tenants. The target does nothing more until a test makes it act. */
export async function createTenants(app: TestApp): Promise<Tenants> {
  // A platform that may do everything, so that only whose record it is decides.
  const scope = 'read write processors:write'
  const platform = await newPlatform(app, { scopes: scope })
  const { target, email } = await createTarget(app)
  await newTokens(app, email, platform, { scope })
  const byKey = await makeTenant(app, await app.newMerchant(), { secret: 'first', keys: 'first' })
  const other = await newUser(app)
  const byToken = await makeTenant(app, other.merchant, { secret: 'second', keys: 'second' })
  const { access_token: token } = await newTokens(app, other.email, platform, { scope })
  const sibling = await makeSibling(app, target)
  const approved = await approve(app, email, platform.request({ scope }), { instance: 'sibling' })
  const { json } = await platform.exchange(approved.get('code') ?? '')
  return {
    target,
    absent: absentNames(target.names, 'wombat'),
    intruders: [
      { as: 'the key of another merchant', ...byKey, call: byKey.merchant.api },
      { as: 'the token of another merchant', ...byToken, call: withToken(app, token) },
      {
        as: 'the token of another instance of the merchant',
        ...sibling,
        call: withToken(app, json.access_token),
      },
    ],
    keyHeader: basic(`${byKey.merchant.secretKey}:`),
    tokenHeader: `Bearer ${token}`,
    ...(await watch(app, target, byKey)),
  }
}

/** The target, and the e-mail of its user. */
export async function createTarget(app: TestApp): Promise<{ target: Tenant; email: string }> {
  const { merchant, email } = await newUser(app, {
    merchant: `${SECRET} merchant`,
    key: `${KEYS}-shop`,
  })
  const target = await makeTenant(app, merchant, { secret: SECRET, keys: KEYS })
  // Its sessions are in the counts, and one change is not yet.
  const { deps } = app.checkstand
  await foldCounts(deps)
  await fileInsights(deps)
  const checkout = await getCheckout(deps.db, target.names.openCheckout)
  await inTransaction(deps.db, (tx) => recordCounts(tx, undefined, checkout))
  return { target, email }
}

/** Records the target's current rows. `other` is any other tenant. */
export async function watch(app: TestApp, target: Tenant, other: Tenant): Promise<Watch> {
  const { db } = app.checkstand.deps
  const census = await takeCensus(app)
  const rows = () => rowsOf(db, census, target.merchant.instance.id)
  const others = await rowsOf(db, census, other.merchant.instance.id)
  const { paidHandle, declinedHandle, payerSecret } = target.names
  const words = [SECRET, paidHandle, declinedHandle, payerSecret]
  return { census, rows, leaks: secretsOf(words, await rows(), others) }
}

/** Another instance of the same merchant. */
async function makeSibling(app: TestApp, { merchant: { instance } }: Tenant): Promise<Tenant> {
  const { name } = await app.checkstand.deps.db
    .selectFrom('merchants')
    .select('name')
    .where('id', '=', instance.merchant_id)
    .executeTakeFirstOrThrow()
  const merchant = await app.newMerchant({ merchant: name, key: 'sibling' })
  return makeTenant(app, merchant, { secret: 'third', keys: 'third' })
}
