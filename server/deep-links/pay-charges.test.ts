import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { openPayerClientAt } from '../../test/payer-client.ts'
import type { Json } from '../../test/payments-client.ts'

/** Deep links on which a customer pays what they owe. */

const app = await startTestApp()

async function customer() {
  const merchant = await app.newMerchant()
  const { inDays, newAccount, newCharge } = testCharges(app, merchant)
  const accountId = await newAccount()
  const owe = async (amount: number, more: Record<string, unknown> = {}): Promise<string> =>
    (await newCharge({ accountId, amount, ...more })).id
  const send = (more: object) =>
    merchant.api('/deep_links', {
      body: {
        deep_link: { action: 'PAY_CHARGES', account: accountId, expires: inDays(20), ...more },
      },
    })
  const newLink = async (more: object = {}): Promise<Json> => (await send(more)).json.deep_link
  const open = (link: Json) => openPayerClientAt(app, new URL(link['url']).pathname)
  const read = async (path: string): Promise<Json> => (await merchant.api(path)).json
  return { owe, inDays, send, newLink, open, read }
}

const amounts = ({ checkout }: { checkout: Json }) =>
  (checkout['terms'].charges as { amount: string }[]).map(({ amount }) => amount)

describe('a deep link to pay charges', () => {
  it('takes what the account owes in one payment, those due first first', async () => {
    const { owe, inDays, newLink, open, read } = await customer()
    const later = await owe(550, { due: inDays(9) })
    const sooner = await owe(2000, { due: inDays(3) })
    await owe(700, { currency: 'USD', due: inDays(12) })
    const link = await newLink()
    const payer = await open(link)
    expect(payer.checkout.terms.amount).toBe('25.50')
    expect(amounts(payer)).toEqual(['20.00', '5.50'])
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    for (const id of [later, sooner]) {
      expect((await read(`/charges/${id}`)).charge.status).toBe('PAID')
    }
    const { payment_links } = await read(`/deep_links/${link.id}/payment_links`)
    expect(payment_links).toMatchObject([
      { status: 'PAYMENT_SUCCESS', charge: sooner, options: { charges: [sooner, later] } },
    ])
    expect((await read(`/deep_links/${link.id}`)).deep_link.uses).toBe(1)
  })

  it('is not changed by an amount in the address', async () => {
    const { owe, newLink, read } = await customer()
    await owe(2000)
    const link = await newLink()
    const payer = await openPayerClientAt(app, `${new URL(link['url']).pathname}?amount=1.00`)
    expect(payer.checkout.terms).toMatchObject({ amount: '20.00', amount_editable: false })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    const { payment_links } = await read(`/deep_links/${link.id}/payment_links`)
    expect(payment_links[0].options).not.toHaveProperty('default_amount')
  })

  it('takes only the charges that it lists', async () => {
    const { owe, newLink, open } = await customer()
    await owe(2000)
    const listed = await owe(550)
    const payer = await open(await newLink({ charges: [listed] }))
    expect(payer.checkout.terms.amount).toBe('5.50')
  })

  it('shows a charge that came meanwhile before anything is paid', async () => {
    const { owe, newLink, open } = await customer()
    await owe(2000)
    const payer = await open(await newLink())
    await owe(550)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    const { terms } = (await payer.current()).json.checkout
    expect(terms.amount).toBe('25.50')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('has nothing left to pay without a charge, and writes nothing when it is read', async () => {
    const { newLink, read } = await customer()
    const link = await newLink()
    const { status, text } = await app.call(new URL(link['url']).pathname)
    expect([status, text.includes('Nothing left to pay')]).toEqual([200, true])
    expect((await read(`/deep_links/${link.id}/payment_links`)).payment_links).toEqual([])
  })

  it.each(['amount', 'currency'])('refuses the option %s', async (name) => {
    const { send } = await customer()
    const values: Record<string, string> = { amount: '5.00', currency: 'EUR' }
    const { status, json } = await send({ options: { [name]: values[name] } })
    expect([status, json.error.message]).toEqual([
      400,
      `deep_link.options.${name} is not taken by PAY_CHARGES`,
    ])
  })
})
