import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'

const app = await startTestApp()
const put = (instance: unknown, more: Record<string, unknown> = {}) =>
  app.merchant.api('/instances/default', { method: 'PUT', body: { instance, ...more } })

describe('the settings of an instance', () => {
  it('are returned under its own key only', async () => {
    const { json } = await app.merchant.api('/instances/default')
    expect(json.instance).toMatchObject({
      key: 'default',
      name: 'Corner Shop',
      mode: 'TEST',
      default_currency: 'EUR',
      timezone: null,
      languages: null,
      allowed_origins: [],
      theme: null,
      link_saved_methods: true,
      step_up_refund: null,
      support_refund_max: null,
      brandings: [],
      v: 1,
    })
    await app.newMerchant({ key: 'other' })
    const { status, json: unknown } = await app.merchant.api('/instances/other')
    expect([status, unknown.error.message]).toEqual([404, 'Instance not found'])
  })

  it('change member by member, and increment the version for a real change only', async () => {
    const first = (await put({ name: 'Corner Shop & Co', timezone: 'Europe/Paris' })).json.instance
    expect(first).toMatchObject({ name: 'Corner Shop & Co', timezone: 'Europe/Paris', v: 2 })
    expect((await put({ name: 'Corner Shop & Co' })).json.instance.v).toBe(2)
    expect((await put({ timezone: null })).json.instance).toMatchObject({ timezone: null, v: 3 })
  })

  it('apply to the next link and the next payer', async () => {
    await put({ default_currency: 'JPY', timezone: 'Asia/Tokyo' })
    const link = await newLink(app.merchant, { default_amount: '500' })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout.terms).toMatchObject({ currency: 'JPY', currency_digits: 0 })
    expect(payer.checkout.timezone).toBe('Asia/Tokyo')
    await put({ default_currency: 'EUR', timezone: null })
  })

  it.each([
    [{ name: '' }, 'instance.name must not be empty'],
    [{ mode: 'LIVE' }, 'Unknown field instance.mode'],
    [{ default_currency: 'XXX' }, 'instance.default_currency is not an ISO 4217 currency'],
    [{ timezone: 'Mars/Base' }, 'instance.timezone must be an IANA time zone name'],
    [{ languages: ['xx'] }, 'instance.languages.0 must be an ISO 639-1 code'],
    [{ languages: ['FR'] }, 'instance.languages.0 must be a two-letter code'],
    [
      { allowed_origins: ['https://shop.example/path'] },
      'instance.allowed_origins.0 must be an origin',
    ],
    [{ allowed_origins: ['http://shop.example'] }, 'instance.allowed_origins.0 must be an origin'],
    [{ theme: { accent: 'red; }' } }, 'instance.theme.accent must be a color'],
    [
      {
        brandings: [
          { key: 'a', name: 'A' },
          { key: 'a', name: 'B' },
        ],
      },
      'instance.brandings.1.key must differ from instance.brandings.0.key',
    ],
    [
      {
        brandings: [
          { key: 'a', name: 'A', channels: ['x'] },
          { key: 'b', name: 'B', channels: ['x'] },
        ],
      },
      'instance.brandings.1.channels.0 must differ from instance.brandings.0.channels.0',
    ],
    [{ brandings: [{ key: 'A', name: 'A' }] }, 'instance.brandings.0.key must be small letters'],
    [
      { brandings: [{ key: 'a', name: 'A', logo: 'javascript:x' }] },
      'instance.brandings.0.logo must be an https URL',
    ],
  ])('refuse %j', async (instance, message) => {
    const { status, json } = await put(instance)
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })

  it('lose none of many concurrent changes', async () => {
    const before = (await app.merchant.api('/instances/default')).json.instance.v
    await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => put({ name })))
    expect((await app.merchant.api('/instances/default')).json.instance.v).toBe(before + 5)
  })
})
