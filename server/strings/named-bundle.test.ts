import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newTaskLink } from '../../test/task-link.ts'
import { defaultBundle } from './bundle.ts'
import { nameInStrings, nameLegalEntity } from './named-bundle.ts'

const NORD = { legal_name: 'Atelier Nord SAS', vat: 'FR40303265045' }

describe('strings that name the legal entity', () => {
  it.each([
    ['receipt.thanks', 'Paid to {legal_name}, {vat}.', 'Paid to Atelier Nord SAS, FR40303265045.'],
    ['consent.sentence', '{legal_name} and {legal_name}', 'Atelier Nord SAS and Atelier Nord SAS'],
    ['receipt.title', '{merchant} is {legal_name}', '{merchant} is Atelier Nord SAS'],
    // Another string has its placeholders from the page alone.
    ['checkout.legal_vat', '{vat}', '{vat}'],
  ])('%s: %s', (id, text, filled) => {
    expect(nameInStrings({ [id]: text }, NORD)).toEqual({ [id]: filled })
  })

  it('take no placeholder from a name, and nothing that replacements mean', () => {
    const names = { legal_name: "{merchant} $& $1 $' <b>", vat: '{number}' }
    expect(nameInStrings({ 'receipt.thanks': '{legal_name}/{vat}' }, names)).toEqual({
      'receipt.thanks': "merchant $& $1 $' <b>/number",
    })
  })

  it('make another bundle, which is the same for the same names', () => {
    const bundle = defaultBundle('de')
    expect(nameLegalEntity(bundle, NORD)).toBe(bundle)
    const own = { ...bundle, strings: { ...bundle.strings, 'receipt.thanks': '{legal_name}' } }
    const named = nameLegalEntity(own, NORD)
    expect(named.strings['receipt.thanks']).toBe('Atelier Nord SAS')
    expect(named.hash).not.toBe(bundle.hash)
    expect(nameLegalEntity(own, NORD).hash).toBe(named.hash)
    expect(nameLegalEntity(own, { ...NORD, legal_name: 'Nord' }).hash).not.toBe(named.hash)
  })
})

describe('a text with the placeholders of the legal entity', () => {
  it('is taken for receipts and consents, and for nothing else', async () => {
    const app = await startTestApp()
    const { api } = app.merchant
    const save = (id: string, text: string) =>
      api('/strings', { body: { strings: [{ id, text }] } })
    for (const id of ['receipt.thanks', 'receipt.pending', 'consent.sentence', 'consent.save']) {
      expect((await save(id, '{legal_name} ({vat})')).status, id).toBe(200)
    }
    for (const id of ['checkout.pay_merchant', 'email.receipt_subject', 'status.paying']) {
      const { status, json } = await save(id, '{legal_name}')
      expect([id, status, json.code]).toEqual([id, 400, 'SVC-7007'])
      expect(json.message).toContain('{legal_name}')
    }
  })

  it('has the merchant’s name on the page of a task, on which no legal entity is paid', async () => {
    const app = await startTestApp()
    const string = { id: 'receipt.method', text: 'Way to pay {legal_name}{vat}' }
    await app.merchant.api('/strings', { body: { strings: [string] } })
    const { url } = await newTaskLink(app, app.merchant)
    const { text } = await app.call(new URL(url).pathname)
    expect(text).toContain('Way to pay Corner Shop')
    expect(text).not.toContain('{legal_name}')
  })
})
