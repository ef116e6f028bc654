import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { seedAll } from '../../test/seed-all.ts'
import { connectDisabled } from '../../test/stripe-fake/connect.ts'

const app = await startTestApp()
const { api } = app.merchant
const made = await seedAll(app, app.merchant)
const [webhook] = (await api('/instance_webhooks')).json.instance_webhooks
const [open] = (await api('/charges?criteria=status=ACTIVE')).json.charges

const processor = await connectDisabled(app, app.merchant)

const CHANGES: [string, string, string, Record<string, unknown>][] = [
  ['payment_link', '/payment_links', made.payment_link, { state: { a: 1 } }],
  ['account', '/accounts', made.account, { company: 'Corner Shop' }],
  ['charge', '/charges', open?.id ?? made.charge, { due: '2039-01-01T00:00:00Z' }],
  ['contract', '/contracts', made.contract, { description: 'Coffee' }],
  ['instance', '/instances', app.merchant.instance.key, { name: 'Another name' }],
  ['instance_webhook', '/instance_webhooks', webhook.id, { description: 'Till' }],
  ['legal_entity', '/legal_entities', made.legal_entity, { name: 'Another name' }],
  ['legal_entity_route', '/legal_entity_routes', made.legal_entity_route, { enabled: false }],
  ['processor', '/processors', processor, { settings: { saved_csc: 'NONE' } }],
]

it.each(CHANGES)(
  'a %s that has changed since its caller read it is not overwritten',
  async (member, path, id, change) => {
    const { v } = (await api(`${path}/${id}`)).json[member]
    const put = (version: string) =>
      api(`${path}/${id}`, {
        method: 'PUT',
        headers: { 'if-match': version },
        body: { [member]: change },
      })
    const refused = await put(`"${v + 1}"`)
    expect([refused.status, refused.json.error.type]).toEqual([409, 'CONFLICT'])
    expect(refused.json.error.message).toContain(`is at version ${v}`)
    expect((await put('W/"x"')).json.error.message).toBe(
      'If-Match must be the version, such as "3"',
    )
    expect((await api(`${path}/${id}`)).json[member].v).toBe(v)
    const taken = await put(`"${v}"`)
    expect([taken.status, taken.json[member]?.v]).toEqual([200, v + 1])
  },
)
