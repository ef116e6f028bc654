import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  payNewLink,
  cardToken,
  newAccount,
  newLink,
  openPayerClient,
  readLink,
  openNewLink,
} from '../../test/payer-client.ts'
import { resumeCheckout } from './session.ts'
import { submitCheckout } from './submit.ts'

const app = await startTestApp()
const { deps } = app.checkstand

describe('the account of a payer', () => {
  it('is pending until the first success', async () => {
    const { link, payer } = await openNewLink(app, {
      amount: '1.00',
      account: { crm_key: 'crm-1', email: 'ada@example.com' },
    })
    expect(payer.checkout.details).toEqual({ needed: true, prefill: { email: 'ada@example.com' } })
    await payer.payByCard(CARDS.decline, {
      account: { email: 'ada@example.com', first_name: 'Ada' },
    })
    const find = () =>
      deps.db.selectFrom('accounts').selectAll().where('crm_key', '=', 'crm-1').execute()
    expect((await find()).map(({ status, first_name }) => [status, first_name])).toEqual([
      ['PENDING', 'Ada'],
    ])
    await payer.payByCard(CARDS.approve)
    const [account] = await find()
    expect(account).toMatchObject({ status: 'ACTIVE', email: 'ada@example.com' })
    expect((await readLink(app.merchant, link.id)).account).toBe(account?.id)
    expect(account?.last_transaction_id).toBe((await readLink(app.merchant, link.id)).transaction)
  })

  it('is created once per session, also by concurrent attempts', async () => {
    const merchant = await app.newMerchant()
    const { payer } = await openNewLink({ ...app, merchant }, { amount: '1.00' })
    const opened = await resumeCheckout(deps, `Bearer ${payer.token}`)
    const account = { email: 'ada@example.com' }
    await payer.payByCard(CARDS.decline, { account })
    const tried = (await merchant.api(`/checkouts/${payer.checkout.id}`)).json.checkout
    app.pass(1000)
    const token = await cardToken(app, CARDS.approve)
    const body = { attempt_key: randomUUID(), options_v: 1, payment_method: { token }, account }
    expect(await submitCheckout(deps, opened, body, {})).toMatchObject({ outcome: 'COMPLETED' })
    expect((await merchant.api('/accounts')).json.meta.total).toBe(1)
    const paid = (await merchant.api(`/checkouts/${payer.checkout.id}`)).json.checkout
    expect(paid.milestones.submitted).toBe(tried.milestones.submitted)
  })

  it('is the account with the link’s crm_key, which details do not change', async () => {
    const options = { amount: '1.00', account: { crm_key: 'crm-2', email: 'ada@example.com' } }
    const first = await payNewLink(app, CARDS.approve, options)
    const { account: id } = await readLink(app.merchant, first.link.id)
    const entered = { account: { email: 'eve@example.com' } }
    const second = await payNewLink(app, CARDS.approve, options, entered)
    const { account } = await readLink(app.merchant, second.link.id, 'account')
    expect(account).toMatchObject({ id, email: 'ada@example.com' })
  })

  it('is not shown where the link fixes it', async () => {
    const { link, payer } = await openNewLink(app, {
      amount: '1.00',
      account: await newAccount(app),
    })
    expect(payer.checkout.details).toEqual({ needed: false, prefill: {} })
    expect((await app.call(`/pay/${link.id}`)).text).not.toContain('ada@example.com')
  })
})

describe('the session', () => {
  it('requires a token that was issued', async () => {
    for (const authorization of ['', 'Bearer x', `Bearer ckt_${'a'.repeat(43)}`]) {
      for (const [path, call] of [
        ['/pay/checkouts/current', {}],
        ['/pay/checkouts/current/submit', { body: {} }],
      ] as const) {
        const { status, json } = await app.call(path, { ...call, headers: { authorization } })
        expect([status, json.code]).toEqual([401, 'UNAUTHORIZED'])
      }
    }
  })

  it('counts as an opening of the link, and only the first writes to it', async () => {
    const link = await newLink(app.merchant)
    await openPayerClient(app, link.id)
    app.pass(5000)
    await openPayerClient(app, link.id)
    const read = await readLink(app.merchant, link.id)
    expect(Date.parse(read.last_opened) - Date.parse(read.opened)).toBe(5000)
    expect(read.v).toBe(2)
  })
})

describe('the page', () => {
  it('writes nothing when it is rendered', async () => {
    const link = await newLink(app.merchant)
    const before = app.checkstand.database.stats().transactions
    for (let i = 0; i < 3; i += 1) expect((await app.call(`/pay/${link.id}`)).status).toBe(200)
    expect(app.checkstand.database.stats().transactions).toBe(before)
    expect((await readLink(app.merchant, link.id)).opened).toBeNull()
  })

  it('does not contain the state of the link', async () => {
    const { link, payer } = await openNewLink(
      app,
      { amount: '1.00' },
      { state: { secret: 'canary-1' } },
    )
    expect((await app.call(`/pay/${link.id}`)).text).not.toContain('canary-1')
    expect((await payer.current()).text).not.toContain('canary-1')
  })
})
