import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { connectDisabled } from '../../test/stripe-fake/connect.ts'

/** Whom sessions and their payments belong to, and what payers see of it. */

const app = await startTestApp()

async function openShop() {
  const merchant = await app.newMerchant()
  return { ...merchant, ...openEntitiesClient(merchant), merchant }
}

const NORD = {
  registration_number: '303 265 045',
  registered_at: 'RCS Lyon',
  tax_ids: [{ type: 'VAT', country: 'FR', value: 'FR40303265045' }],
  address: { line1: '12 rue des Lilas', line4: 'Lyon', line5: '69003', country: 'FR' },
  terms_url: 'https://nord.example/terms',
  receipt_footer: 'Merci <b>beaucoup</b>',
}

const page = async (id: string, query = '') => (await app.call(`/pay/${id}${query}`)).text

describe('a page of an instance without legal entities', () => {
  it('has none, and no placeholder of one', async () => {
    const { merchant, api } = await openShop()
    const string = { id: 'receipt.thanks', text: 'Paid to {legal_name}{vat}' }
    expect((await api('/strings', { body: { strings: [string] } })).status).toBe(200)
    const link = await newLink(merchant)
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout).not.toHaveProperty('legal_entity')
    expect(payer.checkout.strings['receipt.thanks']).toBe('Paid to Corner Shop')
    const html = await page(link.id)
    expect(html).not.toMatch(/legal|<footer/)
  })
})

describe('the logo of a legal entity', () => {
  it('is shown where the branding has none, and may be loaded', async () => {
    const { merchant, entity, api } = await openShop()
    await entity({ logo: 'https://nord.example/entity.svg' })
    const brandings = [
      { key: 'bare', name: 'Bare', channels: [] },
      { key: 'own', name: 'Own', channels: [], logo: 'https://own.example/own.svg' },
    ]
    const body = { instance: { brandings } }
    expect((await api('/instances/default', { method: 'PUT', body })).status).toBe(200)
    const { id } = await newLink(merchant)
    const shown = async (query: string) => {
      const { text, headers } = await app.call(`/pay/${id}${query}`)
      const [, loaded] = /img-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? []
      return [/<img[^>]* src="([^"]*)"/.exec(text)?.[1], loaded?.split(' ').at(-1)]
    }
    const ofEntity = ['https://nord.example/entity.svg', 'https://nord.example']
    expect(await shown('')).toEqual(ofEntity)
    expect(await shown('?branding=bare')).toEqual(ofEntity)
    expect(await shown('?branding=own')).toEqual([
      'https://own.example/own.svg',
      'https://own.example',
    ])
  })
})

describe('a session', () => {
  it('shows whom it belongs to as it was when it was opened', async () => {
    const { merchant, entity, change, api } = await openShop()
    const { id } = await entity(NORD)
    await api('/strings', {
      body: { strings: [{ id: 'consent.sentence', text: '{merchant} is {legal_name}, {vat}' }] },
    })
    const link = await newLink(merchant, { amount: '12.50' })
    const payer = await openPayerClient(app, link.id, { body: { language: 'fr' } })
    const shown = {
      legal_name: 'Atelier Nord SAS',
      address: ['12 rue des Lilas', '69003 Lyon', 'France'],
      registration: 'RCS Lyon, 303 265 045',
      tax_ids: [{ type: 'VAT', value: 'FR40303265045' }],
    }
    expect(payer.checkout.legal_entity).toMatchObject(shown)
    const html = await page(link.id)
    expect(html).toContain('Atelier Nord SAS')
    expect(html).toContain(
      'href="https://nord.example/terms" target="_blank" rel="noopener noreferrer"',
    )
    expect(html).not.toContain('&lt;/b></p>')
    await change(id, { legal_name: 'Nord Renamed SA', tax_ids: [] })
    const { checkout } = (await payer.current()).json
    expect(checkout.legal_entity).toMatchObject(shown)
    expect((await openPayerClient(app, link.id)).checkout.legal_entity.legal_name).toBe(
      'Nord Renamed SA',
    )
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    await change(id, { legal_name: 'Nord Again SA' })
    const receipt = await page(link.id)
    expect(receipt).toContain('Atelier Nord SAS')
    expect(receipt).not.toMatch(/Renamed|Again/)
    expect(receipt).toContain('Merci &lt;b>beaucoup&lt;/b></p>')
    const record = (await api(`/checkouts/${payer.checkout.id}?expand=legal_entity`)).json.checkout
    expect(record.legal_entity).toMatchObject({ id, legal_name: 'Nord Again SA' })
    const { payment } = await readLink(merchant, link.id, 'payment')
    expect(payment.legal_entity).toBe(id)
  })

  it('names it in the consent that the payer gives', async () => {
    const { merchant, entity, api } = await openShop()
    await entity(NORD)
    const string = { id: 'consent.sentence', text: '{legal_name} ({vat}) keeps the card' }
    await api('/strings', { body: { strings: [string] } })
    const link = await newLink(merchant, { amount: '12.50', save_card: true })
    const payer = await openPayerClient(app, link.id)
    const more = { save_card: true, account: { first_name: 'Ada' } }
    expect((await payer.payByCard(CARDS.approve, more)).json.outcome).toBe('COMPLETED')
    const { payment_method } = await readLink(merchant, link.id, 'payment_method')
    expect(payment_method.consent.text).toBe('Atelier Nord SAS (FR40303265045) keeps the card')
  })

  it('keeps what it has resolved for its retries, whatever the routes become', async () => {
    const { merchant, entity, route, replace, api } = await openShop()
    await entity()
    const other = await entity({ legal_name: 'Nord Iberia SL' })
    await route(other.id, { when: { channel: ['shop'] } })
    const link = await newLink(merchant, { amount: '12.50', channel: 'shop' })
    const payer = await openPayerClient(app, link.id)
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    await replace([])
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    const { payments } = (await api('/payments')).json
    expect(payments.map(({ legal_entity }: { legal_entity: string }) => legal_entity)).toEqual([
      other.id,
      other.id,
    ])
  })

  it('names nobody until the payer tells the country that decides', async () => {
    const { merchant, entity, route, api } = await openShop()
    const main = await entity()
    const spain = await entity({ legal_name: 'Nord Iberia SL', country: 'ES' })
    await route(spain.id, { when: { country: ['ES'] } })
    const link = async () => (await newLink(merchant, { amount: '12.50' })).id
    const pay = async (country: string | undefined) => {
      const id = await link()
      const payer = await openPayerClient(app, id)
      expect(payer.checkout).not.toHaveProperty('legal_entity')
      expect(await page(id)).not.toContain('<footer')
      const account = country === undefined ? {} : { account: { address: { country } } }
      expect((await payer.payByCard(CARDS.approve, account)).json.outcome).toBe('COMPLETED')
      const { checkout } = (await payer.current()).json
      const record = (await api(`/checkouts/${payer.checkout.id}`)).json.checkout
      return [record.legal_entity, checkout.legal_entity.legal_name]
    }
    expect(await pay('ES')).toEqual([spain.id, 'Nord Iberia SL'])
    expect(await pay(undefined)).toEqual([main.id, 'Atelier Nord SAS'])
  })

  it('belongs to the entity that its link names, also after that was archived', async () => {
    const { merchant, entity, route, api } = await openShop()
    const main = await entity({ currencies: ['EUR'] })
    const other = await entity({ legal_name: 'Nord Iberia SL' })
    await route(main.id)
    const link = await newLink(merchant, { amount: '12.50', legal_entity: other.id })
    await api(`/legal_entities/${other.id}`, { method: 'DELETE' })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout.legal_entity.legal_name).toBe('Nord Iberia SL')
    const refusal = async (options: object) =>
      (await api('/payment_links', { body: { payment_link: { options } } })).json.error.message
    const option = 'payment_link.options.legal_entity'
    expect(await refusal({ legal_entity: other.id })).toBe(`${option} is archived`)
    expect(await refusal({ legal_entity: 'le_1_a' })).toBe(`${option} does not exist`)
    expect(await refusal({ legal_entity: main.id, currency: 'USD' })).toBe(
      `${option} does not take USD, only EUR`,
    )
  })

  it('offers only the methods of the processor with which its entity settles', async () => {
    const { merchant, entity, route } = await openShop()
    const { id } = await entity()
    const processor = await connectDisabled(app, merchant)
    const { db } = app.checkstand.deps
    const setStatus = (status: 'ACTIVE' | 'BROKEN' | 'DISABLED') =>
      db.updateTable('processor_connections').set({ status }).where('id', '=', processor).execute()
    const link = await newLink(merchant)
    await setStatus('BROKEN')
    await route(id, { processor })
    const methods = async () => (await openPayerClient(app, link.id)).checkout.methods
    expect(await methods()).toEqual([])
    await setStatus('DISABLED')
    app.pass(20_000)
    app.checkstand.deps.processors.invalidate({ id: processor, instance_id: merchant.instance.id })
    expect((await methods()).map(({ processor: each }: { processor: string }) => each)).toContain(
      'sandbox',
    )
  })
})
