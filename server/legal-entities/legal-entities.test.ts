import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import { type Json, openPaymentsClient } from '../../test/payments-client.ts'

/** The records of legal entities: their members, the default and what keeps them from being archived. */

const app = await startTestApp()

async function openShop() {
  const merchant = await app.newMerchant()
  return { ...merchant, ...openEntitiesClient(merchant), client: openPaymentsClient(app, merchant) }
}

const archive = ({ api }: Pick<Merchant, 'api'>, id: string) =>
  api(`/legal_entities/${id}`, { method: 'DELETE' })

const FULL = {
  alt_key: 'Nord-FR',
  name: 'Nord France',
  legal_name: 'Atelier Nord SAS',
  type: 'ORGANISATION',
  registration_number: '303 265 045',
  registered_at: 'RCS Lyon',
  tax_ids: [{ type: 'VAT', country: 'FR', value: 'FR40303265045' }],
  address: { line1: '12 rue des Lilas', line4: 'Lyon', line5: '69003', country: 'FR' },
  country: 'FR',
  email: 'hello@nord.example',
  phone: '+33 1 23 45 67 89',
  url: 'https://nord.example/legal',
  statement_descriptor: 'NORD ATELIER',
  receipt_footer: 'Thank you.',
  terms_url: 'https://nord.example/terms',
  privacy_url: 'https://nord.example/privacy',
  logo: 'https://nord.example/logo.svg',
  currencies: ['EUR', 'USD'],
}

describe('a legal entity', () => {
  it('is returned as it was written, and found by its key in any case', async () => {
    const shop = await openShop()
    const entity = await shop.entity(FULL)
    expect(entity).toMatchObject({ ...FULL, default: true, status: 'ACTIVE', v: 1 })
    const { json } = await shop.api('/legal_entities/nord-fr')
    expect(json.legal_entity).toEqual(entity)
  })

  it('keeps members that a change does not name, and clears those that are null', async () => {
    const shop = await openShop()
    const { id } = await shop.entity(FULL)
    const changed = await shop.change(id, { phone: null, currencies: null, name: 'Nord' })
    const after = { ...FULL, phone: null, currencies: null, name: 'Nord' }
    expect(changed).toMatchObject({ ...after, v: 2 })
    expect((await shop.change(id, { name: 'Nord' })).v).toBe(2)
  })

  it.each([
    [{ legal_name: '' }, 'legal_entity.legal_name'],
    [{ country: 'XX' }, 'legal_entity.country'],
    [{ statement_descriptor: 'NORD' }, 'legal_entity.statement_descriptor'],
    [{ statement_descriptor: '12345' }, 'legal_entity.statement_descriptor must have a letter'],
    [{ url: 'http://nord.example' }, 'legal_entity.url must be an https URL'],
    [{ terms_url: 'javascript:alert(1)' }, 'legal_entity.terms_url must be an https URL'],
    [{ tax_ids: [{ type: 'VAT', country: 'DE', value: 'FR1' }] }, 'legal_entity.tax_ids.0.value'],
    [{ currencies: ['XXX'] }, 'legal_entity.currencies.0'],
  ])('is refused with %j', async (member, message) => {
    const legal_entity = { legal_name: 'Nord', country: 'FR', ...member }
    const { status, json } = await app.merchant.api('/legal_entities', { body: { legal_entity } })
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })

  it('shares its key with no other active one', async () => {
    const shop = await openShop()
    await shop.entity()
    const first = await shop.entity({ alt_key: 'nord' })
    const body = { legal_entity: { legal_name: 'B', country: 'FR', alt_key: 'NORD' } }
    expect((await shop.api('/legal_entities', { body })).json.error.type).toBe('DUPLICATE')
    expect((await archive(shop, first.id)).status).toBe(204)
    expect((await shop.entity({ alt_key: 'NORD' })).alt_key).toBe('NORD')
  })
})

describe('events of legal entities', () => {
  it('record each change once, with the record at that time', async () => {
    const shop = await openShop()
    const first = await shop.entity(FULL)
    const second = await shop.entity({ default: true })
    for (const name of ['Nord Iberia', 'Nord Iberia']) await shop.change(second.id, { name })
    for (const _ of [1, 2]) expect((await archive(shop, first.id)).status).toBe(204)
    const { events } = (await shop.api('/events?criteria=type~=legal_entity.&limit=100')).json
    const recorded = events.map(({ type, data }: Json) => {
      const { id, v, default: isDefault, status } = data.legal_entity
      return [type, id, v, isDefault, status]
    })
    expect(recorded).toHaveLength(5)
    expect(recorded).toEqual(
      expect.arrayContaining([
        ['legal_entity.created', first.id, 1, true, 'ACTIVE'],
        ['legal_entity.updated', first.id, 2, false, 'ACTIVE'],
        ['legal_entity.created', second.id, 1, true, 'ACTIVE'],
        ['legal_entity.updated', second.id, 2, true, 'ACTIVE'],
        ['legal_entity.archived', first.id, 3, false, 'ARCHIVED'],
      ]),
    )
  })
})

describe('the default', () => {
  it('is the first one, and moves to the one that is told to be it', async () => {
    const shop = await openShop()
    const first = await shop.entity({ default: false })
    const second = await shop.entity()
    expect([first.default, second.default]).toEqual([true, false])
    expect((await shop.change(second.id, { default: true })).default).toBe(true)
    expect((await shop.api(`/legal_entities/${first.id}`)).json.legal_entity.default).toBe(false)
    const { status, json } = await shop.api(`/legal_entities/${second.id}`, {
      method: 'PUT',
      body: { legal_entity: { default: false } },
    })
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
  })

  it('is exactly one after any race', async () => {
    const shop = await openShop()
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, n) => shop.entity({ legal_name: `N${n}`, default: true })),
    )
    await Promise.all(made.map(({ id }) => shop.change(id, { default: true })))
    const { meta } = (await shop.api('/legal_entities?criteria=default=Y')).json
    expect(meta.total).toBe(1)
  })
})

describe('an archived entity', () => {
  it('is neither the default, nor named by a route, nor paid by an active contract', async () => {
    const shop = await openShop()
    const main = await shop.entity()
    const other = await shop.entity({ legal_name: 'Nord Iberia SL' })
    expect((await archive(shop, main.id)).json.error.message).toContain('is the default')
    const route = await shop.route(other.id)
    expect((await archive(shop, other.id)).json.error.message).toContain(route.id)
    const { account, method } = await shop.client.storeCard()
    const { contract } = await shop.client.pay(undefined, {
      account,
      payment_method: method,
      recurring: { frequency: 'MONTH', count: 3 },
    })
    await shop.replace([])
    expect((await archive(shop, other.id)).json.error.message).toContain(contract)
    expect((await shop.api(`/contracts/${contract}`, { method: 'DELETE' })).status).toBe(204)
    expect((await archive(shop, other.id)).status).toBe(204)
    expect((await archive(shop, other.id)).status).toBe(204)
    const archived = (await shop.api(`/legal_entities/${other.id}`)).json.legal_entity
    expect(archived).toMatchObject({ status: 'ARCHIVED', v: 2 })
  })

  it('takes no new route, and a route that comes at the same time keeps it active', async () => {
    const shop = await openShop()
    await shop.entity()
    const other = await shop.entity()
    const body = { legal_entity_route: { legal_entity: other.id } }
    const [gone, routed] = await Promise.all([
      archive(shop, other.id),
      shop.api('/legal_entity_routes', { body }),
    ])
    const { status } = (await shop.api(`/legal_entities/${other.id}`)).json.legal_entity
    expect([gone.status, routed.status]).toEqual(status === 'ACTIVE' ? [400, 200] : [204, 400])
    if (status === 'ACTIVE') return
    expect(routed.json.error.message).toBe('legal_entity_route.legal_entity is archived')
  })
})
