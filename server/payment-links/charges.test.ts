import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { testCharges } from '../../test/charges.ts'
import { errorSummary } from '../../test/payments-client.ts'

const app = await startTestApp()
const { newAccount, newCharge } = testCharges(app)
const account = await newAccount()
const charge = await newCharge({ accountId: account, altKey: 'rent' })
const dollars = await newCharge({ accountId: account, currency: 'USD' })
const zero = await newCharge({ accountId: account })
await app.merchant.api(`/charges/${zero.id}`, {
  method: 'PUT',
  body: { charge: { status: 'WRITTENOFF' } },
})
const other = await app.newMerchant()
const theirs = testCharges(app, other)
const foreign = await theirs.newCharge({ accountId: await theirs.newAccount(), altKey: 'theirs' })
const unowned = await newCharge()

const create = (options: unknown) =>
  app.merchant.api('/payment_links', { body: { payment_link: { options } } })

it.each([
  ['an unknown charge', { charges: ['nothing'] }, 'charges.0 does not exist'],
  ['a charge of another instance', { charges: [foreign.id] }, 'charges.0 does not exist'],
  ['the key of another instance', { charges: ['rent', 'theirs'] }, 'charges.1 does not exist'],
  ['no account', { charges: ['rent'], account: null }, 'account must be an account id'],
  ['the details of an account', { charges: ['rent'], account: {} }, 'account must be an account'],
  [
    'a charge without an account',
    { charges: [unowned.id] },
    'charges.0 belongs to another account',
  ],
  ['two currencies', { charges: ['rent', dollars.id] }, 'charges.1 is in USD, not in EUR'],
  ['another currency', { charges: ['rent'], currency: 'USD' }, 'charges.0 is in EUR, not in USD'],
  ['a charge written off', { charges: [zero.id] }, 'charges.0 is WRITTENOFF and cannot be paid'],
  ['a charge twice', { charges: ['rent', charge.id] }, 'charges.1 is named twice'],
  ['an amount', { charges: ['rent'], amount: '1.00' }, 'amount must not be given beside charges'],
  ...['default_amount', 'amount_min', 'amount_max', 'unit_amount'].map(
    (member): [string, object, string] => [
      member,
      { charges: ['rent'], [member]: '1.00', ...(member === 'unit_amount' && { quantity_max: 2 }) },
      `${member} must not be given beside charges`,
    ],
  ),
  [
    'suggested amounts',
    { charges: ['rent'], amount_presets: ['1.00'] },
    'amount_presets must not be given beside charges',
  ],
  ['no charge', { charges: [] }, 'charges '],
  ['too many charges', { charges: Array.from({ length: 21 }, (_, n) => `c${n}`) }, 'charges '],
])('refuses a link with %s, and names the member', async (_, options, message) => {
  const response = await create({ account, ...options })
  expect(errorSummary(response)).toEqual([
    400,
    'INVALID_REQUEST',
    expect.stringContaining(`payment_link.options.${message}`),
  ])
})

it('takes the currency of its charges', async () => {
  const { json } = await create({ account, charges: [dollars.id] })
  expect(json.payment_link.options).toEqual({ account, charges: [dollars.id] })
  const opened = await app.call(`/pay/${json.payment_link.id}/checkouts`, { body: {} })
  expect(opened.json.checkout.terms).toMatchObject({ currency: 'USD', amount: '20.00' })
})
