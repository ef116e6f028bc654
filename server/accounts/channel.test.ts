import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { api } = app.merchant
const channelOf = async (id: string) => (await api(`/accounts/${id}`)).json.account.channel

it('an account that a link makes has the channel of the link', async () => {
  const link = await newLink(app.merchant, { amount: '5.00', channel: 'kiosk', save_card: true })
  const payer = await openPayerClient(app, link.id)
  expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  const { account } = await readLink(app.merchant, link.id)
  expect(await channelOf(account)).toBe('kiosk')
  const { json } = await api('/accounts?criteria=channel=KIOSK')
  expect(json.accounts.map(({ id }: { id: string }) => id)).toEqual([account])
})

it('an account that a payment makes has its own channel, or else that of the payment', async () => {
  const paymentsClient = openPaymentsClient(app)
  const channelAfterPayment = async (account: object) => {
    const payment = await paymentsClient.pay(undefined, { account, channel: 'phone' })
    return channelOf(payment.account)
  }
  expect(await channelAfterPayment({ first_name: 'Ada' })).toBe('phone')
  expect(await channelAfterPayment({ first_name: 'Ada', channel: 'post' })).toBe('post')
})

it('an account that was there before keeps its channel', async () => {
  const paymentsClient = openPaymentsClient(app)
  const body = { account: { crm_key: 'before', channel: 'shop' } }
  const { id } = (await api('/accounts', { body })).json.account
  await paymentsClient.pay(undefined, { account: { crm_key: 'before' }, channel: 'phone' })
  expect(await channelOf(id)).toBe('shop')
})

it('an address that a payment gives is refused by the path of its member', async () => {
  const account = { crm_key: 'lives', address: { country: 'DE' } }
  expect((await api('/accounts', { body: { account } })).status).toBe(200)
  const { status, json } = await openPaymentsClient(app).send({
    amount: '5.00',
    account: { crm_key: 'lives', address: { line6: 'US-CA' } },
    payment_method: { token: await cardToken(app, CARDS.approve) },
  })
  expect([status, json.error.message]).toEqual([
    400,
    'payment.account.address.line6 must lie in the country of the address',
  ])
})
