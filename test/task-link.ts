import type { Merchant, TestApp } from './app.ts'
import type { Json } from './payments-client.ts'

/** Creates an account and a deep link by which its customer adds a payment method. */
export async function newTaskLink(
  app: Pick<TestApp, 'now'>,
  { api }: Pick<Merchant, 'api'>,
): Promise<Json> {
  const account = (
    await api('/accounts', { body: { account: { crm_key: `task ${Math.random()}` } } })
  ).json.account.id
  const expires = new Date(app.now() + 86_400_000).toISOString()
  const deep_link = { action: 'ADD_PAYMENT_METHOD', account, expires }
  return (await api('/deep_links', { body: { deep_link } })).json.deep_link
}
