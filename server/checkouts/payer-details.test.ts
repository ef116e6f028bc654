import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { type Json, openPaymentsClient, recordedEvents } from '../../test/payments-client.ts'
import {
  newLink,
  openPayerClient,
  readLink,
  openNewLink,
  payNewLink,
} from '../../test/payer-client.ts'

const app = await startTestApp()
const { api } = app.merchant
const ADA = { first_name: 'Ada', email: 'ada@example.com', address: { line4: 'Paris' } }
const SHOWN = { ...ADA, last_name: null, phone: null }

const newAccount = async (crm_key: string): Promise<Json> =>
  (await api('/accounts', { body: { account: { crm_key, first_name: 'Grace' } } })).json.account
const checkout = async (id: string): Promise<Json> => (await api(`/checkouts/${id}`)).json.checkout

it('returns details with the payment, the session and their events, and keeps the account unchanged', async () => {
  const account = await newAccount('known')
  const { link, payer } = await openNewLink(app, { amount: '3.00', account: { crm_key: 'known' } })
  expect((await checkout(payer.checkout.id)).payer).toBeNull()
  await payer.payByCard(CARDS.approve, { account: { ...ADA, last_name: '' } })
  const paid = await readLink(app.merchant, link.id, 'payment')
  expect(paid.account).toBe(account.id)
  expect(paid.payment.payer).toEqual(SHOWN)
  expect((await checkout(payer.checkout.id)).payer).toEqual(SHOWN)
  const { json } = await api(`/payments?criteria=id=${paid.payment.id}`)
  expect(json.payments[0].payer).toEqual(SHOWN)
  const events = await recordedEvents(app)
  const of = (type: string): Json => events.find((event) => event.type === type)?.data
  expect(of('payment.success').payment.payer).toEqual(SHOWN)
  expect(of('checkout.submitted').checkout.payer).toEqual(SHOWN)
  expect(of('checkout.completed').checkout.payer).toEqual(SHOWN)
  expect(of('checkout.opened').checkout.payer).toBeNull()
  const after = (await api(`/accounts/${account.id}`)).json.account
  expect([after.first_name, after.email, after.address]).toEqual(['Grace', null, null])
})

it('keeps the details of each attempt in its payment and of the newest in the session', async () => {
  const { payer } = await openNewLink(app)
  await payer.payByCard(CARDS.decline, { account: { first_name: 'Eda' } })
  expect((await checkout(payer.checkout.id)).payer).toMatchObject({ first_name: 'Eda' })
  app.pass(1000)
  await payer.payByCard(CARDS.approve, { account: { first_name: 'Ada' } })
  const { payer: last, attempts } = await checkout(payer.checkout.id)
  expect(last).toMatchObject({ first_name: 'Ada' })
  const names = attempts.map(async ({ payment }: Json) => {
    const { json } = await api(`/payments/${payment}`)
    return json.payment.payer.first_name
  })
  expect(await Promise.all(names)).toEqual(['Eda', 'Ada'])
})

it('returns null without details and for payments through the API', async () => {
  const { id } = await newAccount('silent')
  const { link, payer } = await payNewLink(app, CARDS.approve, { amount: '3.00', account: id })
  expect((await readLink(app.merchant, link.id, 'payment')).payment.payer).toBeNull()
  expect((await checkout(payer.checkout.id)).payer).toBeNull()
  expect((await openPaymentsClient(app).pay()).payer).toBeNull()
})

it('returns no details to a payer, in any session', async () => {
  const link = await newLink(app.merchant, { amount: '3.00' })
  const [payer, other] = [await openPayerClient(app, link.id), await openPayerClient(app, link.id)]
  const account = { first_name: 'Unmistakable', email: 'unmistakable@example.com' }
  const submitted = await payer.payByCard(CARDS.approve, { account })
  const later = await app.call(`/pay/${link.id}/checkouts`, { body: {} })
  const page = await app.call(`/pay/${link.id}`)
  const responses = [submitted, await payer.current(), await other.current(), later, page]
  for (const { text } of responses) expect(text.toLowerCase()).not.toContain('unmistakable')
})

it('prefills no address line that the API would refuse', async () => {
  const link = await newLink(app.merchant, { amount: '3.00', account: { first_name: 'Ada' } })
  const address = { line1: '1 Road', country: 'UK', line6: 'UK-ENG' }
  const stored = JSON.stringify({ amount: '3.00', account: { first_name: 'Ada', address } })
  await app.checkstand.deps.db
    .updateTable('payment_links')
    .set({ options: stored })
    .where('id', '=', link.id)
    .execute()
  const payer = await openPayerClient(app, link.id)
  const { prefill } = payer.checkout.details
  expect(prefill).toEqual({ first_name: 'Ada', address: { line1: '1 Road' } })
  expect((await payer.payByCard(CARDS.approve, { account: prefill })).json.outcome).toBe(
    'COMPLETED',
  )
})
