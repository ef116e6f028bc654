import { describe, expect, it } from 'vitest'
import { model } from '../scenes/models.ts'
import type { PageModel } from '../../shared/page-model.ts'
import type { Environment } from './checkout.ts'
import { createForm } from './form.ts'
import { type FieldName, fieldsWithErrors } from './fields.ts'
import { loadAllChunks } from './load-chunks.ts'
import { submitPayment } from './submit.ts'
import { effect } from '@preact/signals'
import { checkForm, buildSubmission } from './form-input.ts'
import { outcome, refusal, type Reply, sessionOf, setUp } from './testing.ts'

await loadAllChunks()

/** The time of `setUp`, on both sides. */
const NOW = Date.parse('2031-03-14T15:00:00.000Z')
const TOKEN = { type: 'CARD', processor: 'sandbox', token: 'tok_1' }

function filled(
  start: PageModel,
  values: Partial<Record<FieldName, string>> = {},
  environment: Partial<Environment> = {},
) {
  const test = setUp(start, undefined, environment)
  const form = createForm(test.checkout)
  effect(() => {
    if (test.checkout.cvcResets.value > 0) form.clearSecurityCodes()
  })
  for (const [name, text] of Object.entries(values)) form.enter(name as FieldName, text)
  return {
    ...test,
    form,
    submission: () => buildSubmission(form.input(), start.checkout, TOKEN),
    errors: () => fieldsWithErrors(checkForm(form.input(), start.checkout, NOW)),
    submit: (reply?: Reply) => {
      if (reply) test.replies.submit.push(reply)
      return submitPayment(test.checkout, form)
    },
  }
}

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', csc: '123' }

describe('the submission', () => {
  it('has no fixed term but the currency, and no empty input', () => {
    const { submission } = filled(model(), CARD)
    expect(submission()).toEqual({ currency: 'EUR', payment_method: TOKEN, save_card: false })
  })

  it('has the amount, reference, comment and details without surrounding spaces', () => {
    const start = model(
      { number_style: { decimal: ',', group: '.' } },
      {},
      { amount: null, amount_editable: true, alt_key_editable: true, comment_allowed: true },
    )
    const { submission } = filled(start, {
      amount: '1.240,5',
      alt_key: ' INV-7 ',
      description: ' hello ',
      email: ' a@example.com ',
      line1: 'Rue 1',
    })
    expect(submission()).toMatchObject({
      amount: '1240.50',
      alt_key: 'INV-7',
      description: 'hello',
      account: { email: 'a@example.com', address: { line1: 'Rue 1' } },
    })
  })

  it('sends an emptied default comment and omits an empty additional one', () => {
    const editable = filled(model({}, {}, { description: 'default', description_editable: true }), {
      description: '',
    })
    expect(editable.submission().description).toBe('')
    const extra = filled(model({}, {}, { description: 'fixed', comment_allowed: true }))
    expect(extra.submission()).not.toHaveProperty('description')
  })

  it('has the choice of saving only where the checkbox is shown', () => {
    const consent = filled(model({}, { save_card: { show: false, initial: true, consent: true } }))
    expect(consent.submission()).not.toHaveProperty('save_card')
    const shown = filled(model())
    shown.form.saveCard.value = true
    expect(shown.submission().save_card).toBe(true)
    shown.form.choose('sandbox-BANK_TRANSFER')
    expect(shown.submission()).not.toHaveProperty('save_card')
    shown.form.saveCard.value = false
    shown.form.choose('sandbox-DIRECT_DEBIT')
    expect(shown.submission().save_card).toBe(true)
  })

  it('keeps a prefilled subdivision only while the country is the same', () => {
    const details = {
      needed: true,
      prefill: { address: { line1: 'x', line6: 'US-CA', country: 'US' } },
    }
    const { form, submission } = filled(model({}, { details }))
    expect(submission().account?.address?.line6).toBe('US-CA')
    form.enter('country', 'FR')
    expect(submission().account?.address).toEqual({ line1: 'x', country: 'FR' })
  })
})

describe('the errors of the form', () => {
  it('are in page order', () => {
    const { errors } = filled(model(), { email: 'nobody' })
    expect(errors()).toEqual(['email', 'number', 'expiry', 'csc'])
  })

  it('are none for a bank transfer, which has no fields', () => {
    const { form, errors } = filled(model())
    form.choose('sandbox-BANK_TRANSFER')
    expect(errors()).toEqual([])
  })

  it('are none for a method that a bank asks everything for', async () => {
    const offered = {
      type: 'IDEAL',
      processor: 'pr_1',
      storable: false,
      token_first: false,
      async: false,
    }
    const test = filled(model({}, { methods: [offered] }))
    expect(test.errors()).toEqual([])
    await test.checkout.start()
    await test.submit(outcome('DECLINED'))
    expect(test.submits().map(({ body }) => body?.['payment_method'])).toEqual([
      { type: 'IDEAL', processor: 'pr_1' },
    ])
  })

  it.each(['', 'ten', '0', '1.005'])('include the amount "%s"', (amount) => {
    const start = model({}, {}, { amount: null, amount_editable: true })
    const { errors } = filled(start, { ...CARD, amount })
    expect(errors()).toEqual(['amount'])
  })

  it('include a security code of the wrong length for the brand', () => {
    const { errors } = filled(model(), { ...CARD, number: '378282246310005' })
    expect(errors()).toEqual(['csc'])
  })

  it('include a missing security code of a saved card', () => {
    const saved_methods = [
      { id: 'pm_1', type: 'CARD', brand: 'amex', last4: '0005', exp_month: 1, exp_year: 2033 },
    ]
    const { form, errors } = filled(model({}, { saved_methods }))
    expect(errors()).toEqual(['saved_csc'])
    form.enter('saved_csc', '123')
    expect(errors()).toEqual(['saved_csc'])
    form.enter('saved_csc', '1234')
    expect(errors()).toEqual([])
  })
})

describe('a submit', () => {
  it('sends no request while a field is invalid, and focuses the first one', async () => {
    const test = filled(model())
    await test.submit()
    expect(test.requests).toEqual([])
    expect(test.checkout.focusRequests.value).toBe(1)
    expect(test.checkout.announcement.value).toEqual({ id: 'status.fields', values: { count: 3 } })
  })

  it('tokenizes the card and submits only the token', async () => {
    const test = filled(model(), CARD)
    await test.checkout.start()
    await test.submit(outcome('DECLINED'))
    expect(test.requests.find(({ path }) => path === '/sandbox/tokens')?.body).toEqual({
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, csc: '123' },
    })
    expect(JSON.stringify(test.submits())).not.toContain('4242')
    expect(test.submits()[0]?.body?.['payment_method']).toEqual(TOKEN)
  })

  it('pays only the terms that were shown at the click', async () => {
    const test = filled(model(), CARD)
    const confirmed = test.checkout.checkout.value
    const checkout = sessionOf(model({}, { options_v: 2 }, { amount: '15.00' }).checkout)
    test.replies.open.push({ json: { token: 'ckt_1', checkout } })
    test.replies.current.push({ json: { checkout } }, { json: { checkout } })
    await test.checkout.start()
    expect(test.checkout.checkout.value.options_v).toBe(2)
    test.replies.submit.push(outcome('TERMS_CHANGED'))
    await submitPayment(test.checkout, test.form, confirmed)
    expect(test.submits().map(({ body }) => body?.['options_v'])).toEqual([1])
    expect(test.checkout.notice.value?.id).toBe('status.amount_changed')
  })

  it('shows an error of the processor beside its field', async () => {
    const test = filled(model(), CARD)
    await test.checkout.start()
    test.replies.tokens.push(refusal(400, 'card.exp_year and exp_month are in the past'))
    await test.submit()
    expect(test.form.errors.value).toEqual({ expiry: { id: 'card.expiry_past' } })
    expect(test.submits()).toEqual([])
    expect(test.checkout.step.value).toBe('form')
  })

  it('shows an error of the server beside its field', async () => {
    const test = filled(model(), CARD)
    await test.checkout.start()
    await test.submit(refusal(400, 'alt_key must not have the form of an id'))
    expect(test.form.errors.value).toEqual({ alt_key: { id: 'errors.check_field' } })
  })

  it('pays with a saved card by its id and its security code, without a token', async () => {
    const saved_methods = [
      { id: 'pm_1', type: 'CARD', brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2033 },
    ]
    const test = filled(model({}, { saved_methods }), { saved_csc: '123' })
    await test.checkout.start()
    await test.submit(outcome('DECLINED'))
    expect(test.submits()[0]?.body?.['payment_method']).toEqual({ id: 'pm_1', csc: '123' })
    expect(test.form.values.saved_csc.value).toBe('')
  })

  it('keeps the card but not its security code after a decline', async () => {
    const test = filled(model(), CARD)
    await test.checkout.start()
    await test.submit(outcome('DECLINED'))
    expect(test.form.input().values).toMatchObject({ ...CARD, csc: '' })
  })

  it('compares a card’s expiry with the server’s clock', async () => {
    const ahead = { now: () => Date.parse('2040-01-01T00:00:00.000Z') }
    const test = filled(model(), { ...CARD, email: 'a@example.com' }, ahead)
    await test.checkout.start()
    await test.submit(outcome('DECLINED'))
    expect(test.form.errors.value).toEqual({})
    expect(test.submits()).toHaveLength(1)
    test.form.enter('expiry', '02 / 31')
    await test.submit()
    expect(test.form.errors.value).toMatchObject({ expiry: { id: 'card.expiry_past' } })
  })
})
