import { describe, expect, it } from 'vitest'
import { model } from '../scenes/models.ts'
import { createForm } from './form.ts'
import { loadAllChunks } from './load-chunks.ts'
import { submitPayment } from './submit.ts'
import { outcome, ready } from './testing.ts'

await loadAllChunks()

async function opened(start = model()) {
  const test = await ready(start)
  const form = createForm(test.checkout)
  test.replies.submit.push(outcome('DECLINED'))
  const submitted = async () => {
    await submitPayment(test.checkout, form)
    return test.submits()[0]?.body?.['milliseconds_since']
  }
  return { ...test, form, submitted }
}

type Opened = Awaited<ReturnType<typeof opened>>

function typeCard({ form }: Opened): void {
  form.enter('number', '4242 4242 4242 4242')
  form.enter('expiry', '12 / 34')
  form.enter('csc', '123')
}

function typeDetails({ form }: Opened): void {
  form.enter('first_name', 'Ada')
  form.enter('last_name', 'Lovelace')
  form.enter('email', 'ada@example.com')
}

describe('the milestones', () => {
  it('are sent with the payment, as the time since each was first reached', async () => {
    const page = await opened()
    typeDetails(page)
    await page.pass(4_000)
    page.form.choose('sandbox-DIRECT_DEBIT')
    await page.pass(1_000)
    page.form.choose('sandbox-CARD')
    page.form.enter('email', 'ada@example.org')
    typeCard(page)
    await page.pass(2_000)
    expect(await page.submitted()).toEqual({ details_done: 7_000, method_chosen: 3_000 })
  })

  it('are sent with a request for the session', async () => {
    const page = await opened()
    page.form.enter('number', '4')
    await page.pass(500)
    await page.checkout.shownAgain()
    const { query } = page.requests.at(-1) ?? {}
    expect([query?.get('method_chosen'), query?.get('details_done')]).toEqual(['500', null])
  })

  it('include the method once the payer types in its fields', async () => {
    const page = await opened()
    typeCard(page)
    await page.pass(1_500)
    expect(await page.submitted()).toEqual({ method_chosen: 1_500 })
  })

  it('include the method at the payment at the latest', async () => {
    const methods = model().checkout.methods.filter(({ type }) => type === 'BANK_TRANSFER')
    const page = await opened(model({}, { methods }))
    expect(await page.submitted()).toEqual({ method_chosen: 0 })
  })

  it.each([
    ['first_name', ' '],
    ['last_name', ''],
    ['email', 'ada@'],
  ] as const)('is no complete details while %s is "%s"', async (name, text) => {
    const page = await opened()
    typeDetails(page)
    delete page.checkout.milestones.details_done
    page.form.enter(name, text)
    expect(page.checkout.milestones.details_done).toBeUndefined()
  })

  it('exclude the details when none are requested', async () => {
    const page = await opened(model({}, { details: { needed: false, prefill: {} } }))
    typeCard(page)
    expect(await page.submitted()).not.toHaveProperty('details_done')
  })

  it('exclude a method that the page restored', async () => {
    const page = await opened()
    page.form.chosenKey.value = 'sandbox-CARD'
    expect(page.checkout.milestones).toEqual({})
  })

  it('are never negative when the payer’s clock is set back', async () => {
    const page = await opened()
    page.checkout.milestones.method_chosen = page.checkout.flow.now() + 60_000
    typeCard(page)
    expect(await page.submitted()).toEqual({ method_chosen: 0 })
  })
})
