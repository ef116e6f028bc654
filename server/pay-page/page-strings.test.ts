import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { merchant } = app

const save = (text: string) =>
  merchant.api('/strings', {
    body: { strings: [{ id: 'methods.title', text, language: 'default' }] },
  })

async function documentOf(id: string, query = '') {
  const { text } = await app.call(`/pay/${id}${query}`)
  const [, model = ''] = /id="page-model">(.*?)<\/script>/.exec(text) ?? []
  return JSON.parse(model).checkout
}

async function open(id: string, body: Record<string, unknown>) {
  const opened = await app.call(`/pay/${id}/checkouts`, { body })
  expect(opened.status, opened.text).toBe(200)
  return opened.json
}

async function current(token: string, query: Record<string, string>) {
  const headers = { authorization: `Bearer ${token}` }
  const search = new URLSearchParams(query).toString()
  const response = await app.call(`/pay/checkouts/current?${search}`, { headers })
  expect(response.status, response.text).toBe(200)
  return response.json.checkout
}

describe('the response that opens a session', () => {
  it.each([
    ['a plain form', { amount: '5.00' }],
    ['an open amount', {}],
    ['an account that is known in part', { account: { phone: '1', address: { country: 'US' } } }],
  ])('returns the strings that the document of %s left out', async (_name, options) => {
    const { id } = await newLink(merchant, options)
    const page = await documentOf(id)
    const { strings_hash } = page
    const whole = (await open(id, {})).checkout.strings
    const { checkout } = await open(id, { strings_hash, known_strings: 'FORM' })
    expect(Object.keys(checkout.strings).length).toBeLessThan(Object.keys(whole).length * 0.85)
    expect({ ...page.strings, ...checkout.strings }).toEqual(whole)
    expect(checkout.strings_hash).toBe(strings_hash)
    expect((await open(id, { strings_hash, known_strings: 'ALL' })).checkout.strings).toEqual({})
  })

  it('returns all strings to a page with another bundle', async () => {
    const { id } = await newLink(merchant)
    const { strings_hash } = await documentOf(id)
    const cached = { strings_hash, known_strings: 'ALL' }
    const french = (await open(id, { ...cached, language: 'fr' })).checkout
    expect(french.strings['checkout.pay']).toBe('Payer {amount}')
    expect(Object.keys(french.strings).length).toBeGreaterThan(100)
    await save('Pay by')
    const renewed = (await open(id, cached)).checkout
    expect(renewed.strings['methods.title']).toBe('Pay by')
    expect(Object.keys(renewed.strings).length).toBeGreaterThan(100)
  })

  it('returns all strings to a page that does not send known_strings', async () => {
    const { id } = await newLink(merchant)
    const { strings_hash } = await documentOf(id)
    const { strings } = (await open(id, { strings_hash })).checkout
    expect(strings).toHaveProperty(['checkout.pay'])
  })
})

describe('the current session', () => {
  it('keeps its strings for a page that was reloaded with newer ones', async () => {
    const { id } = await newLink(merchant)
    await save('Frozen')
    const { token, checkout } = await open(id, {})
    await save('Newer')
    const page = await documentOf(id)
    expect(page.strings['methods.title']).toBe('Newer')
    const seen = await current(token, { strings_hash: page.strings_hash, known_strings: 'FORM' })
    expect(seen.strings_hash).toBe(checkout.strings_hash)
    expect(seen.strings).toEqual(checkout.strings)
    const again = await current(token, { strings_hash: seen.strings_hash, known_strings: 'ALL' })
    expect(again.strings).toEqual({})
  })

  it('refuses invalid values and names them', async () => {
    const { token } = await open((await newLink(merchant)).id, {})
    const headers = { authorization: `Bearer ${token}` }
    for (const [query, message] of [
      ['known_strings=SOME', expect.stringContaining('known_strings')],
      ['details_done=soon', 'details_done must be a whole number of milliseconds'],
    ]) {
      const { status, json } = await app.call(`/pay/checkouts/current?${query}`, { headers })
      expect([status, json.error.message]).toEqual([400, message])
    }
  })
})

describe('a session from before an upgrade', () => {
  it('keeps its strings and gets the added ones', async () => {
    const { db } = app.checkstand.deps
    await save('Before the upgrade')
    const { id } = await newLink(merchant)
    const { token, checkout } = await open(id, {})
    const { 'receipt.name': added, ...older } = checkout.strings
    await db
      .updateTable('bundles')
      .set({ strings: JSON.stringify(older) })
      .where('hash', '=', checkout.strings_hash)
      .execute()
    await save('After the upgrade')
    const { strings } = await current(token, {})
    expect(strings['methods.title']).toBe('Before the upgrade')
    expect(strings['receipt.name']).toBe(added)
  })
})
