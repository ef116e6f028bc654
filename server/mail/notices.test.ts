import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'
import { MAIL_SETTINGS } from '../../test/mail-settings.ts'
import { forgetMails, listMails, reply, sendMail, startMailServer } from '../../test/mail-server.ts'
import { openPaymentsClient, stubProcessor } from '../../test/payments-client.ts'
import { moveClock } from '../../test/test-clock-driver.ts'
import { deliverAll, LOCAL_RECEIVERS, newListener } from '../../test/webhook-receiver.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { createUser } from '../users/create.ts'
import { nextExpiringCard, queueExpiringCards } from './queue-expiring-cards.ts'

const app = await startTestApp({ ...MAIL_SETTINGS, ...LOCAL_RECEIVERS })
const { deps } = app.checkstand
afterEach(async () => {
  await forgetMails(app)
  await deps.db.updateTable('contracts').set({ status: 'ENDED', next_due: null }).execute()
  await deps.db.updateTable('charges').set({ next_attempt: null }).execute()
})

async function received() {
  const server = await startMailServer()
  await sendMail(app, server)
  return server.received
}

/** A customer with a stored card and a contract that charges it every month. */
async function subscribe(email: string | null = 'ada@example.com') {
  const merchant = await app.newMerchant()
  const client = openPaymentsClient(app, merchant)
  const { account, method } = await client.storeCard()
  await merchant.api(`/accounts/${account}`, {
    method: 'PUT',
    body: { account: { email, locale: 'de', timezone: 'Europe/Berlin' } },
  })
  const payment = await client.pay(undefined, {
    account,
    payment_method: method,
    recurring: { frequency: 'MONTH' },
  })
  const charges = testCharges(app, merchant)
  return { merchant, account, method, contract: payment.contract as string, charges }
}

describe('a card that expires before the next charge of a contract', () => {
  it('is announced once, in the customer’s language, and again after a renewal', async () => {
    const { method, charges } = await subscribe()
    expect(await queueExpiringCards(deps)).toBe(0)
    // The next charge is on 1 June 2030.
    await charges.setMethod(method, { exp_year: 2030, exp_month: 5 })
    expect(await queueExpiringCards(deps)).toBe(1)
    expect(await queueExpiringCards(deps)).toBe(0)
    const [mail] = await received()
    expect(mail?.envelope.to).toEqual(['ada@example.com'])
    expect(mail?.subject).toBe('Ihre Karte bei Corner Shop läuft bald ab')
    expect(mail?.text).toContain('Karte mit den Endziffern 4242, gültig bis 05/2030')
    expect(mail?.text).toMatch(/10,00\s€ am 1\. Juni 2030/)
    await charges.setMethod(method, { exp_year: 2030, exp_month: 4 })
    expect(await queueExpiringCards(deps)).toBe(1)
  })

  it('is announced for each contract that it pays, with a link to that contract', async () => {
    const { merchant, account, method, contract, charges } = await subscribe()
    const tea = { account, payment_method: method, recurring: { frequency: 'MONTH' } }
    const second = await openPaymentsClient(app, merchant).pay(undefined, tea)
    await charges.setMethod(method, { exp_year: 2030, exp_month: 5 })
    expect(await queueExpiringCards(deps)).toBe(2)
    expect(await received()).toHaveLength(2)
    const { deep_links } = (await merchant.api('/deep_links')).json
    const contracts = deep_links.map((link: { contract: string }) => link.contract)
    expect(new Set(contracts)).toEqual(new Set([contract, second.contract]))
  })

  it('is announced thirty days before its last month, where a test clock stops for it', async () => {
    const merchant = await app.newMerchant()
    const client = openPaymentsClient(app, merchant)
    const { account, method } = await client.storeCard()
    const email = 'ada@example.com'
    await merchant.api(`/accounts/${account}`, { method: 'PUT', body: { account: { email } } })
    await client.pay(undefined, {
      account,
      payment_method: method,
      recurring: { frequency: 'MONTH', interval: 6 },
    })
    await testCharges(app, merchant).setMethod(method, { exp_year: 2030, exp_month: 8 })
    // The next charge is on 1 November 2030, and the card is valid until the end of August.
    const announced = '2030-07-02T00:00:00.000Z'
    const next = (after: string, until: string) =>
      nextExpiringCard(deps, merchant.instance.id, { after, until })
    expect(await next('2030-05-01T12:00:00.000Z', '2030-07-01T23:59:59.000Z')).toBeUndefined()
    await moveClock(app, { now: '2030-07-01T23:59:59Z' }, merchant)
    expect(await listMails(app)).toEqual([])
    expect(await next('2030-07-01T23:59:59.000Z', '2031-01-01T00:00:00.000Z')).toBe(announced)
    await moveClock(app, { now: announced }, merchant)
    expect(await listMails(app)).toMatchObject([{ kind: 'CARD_EXPIRING' }])
    expect(await next(announced, '2031-01-01T00:00:00.000Z')).toBeUndefined()
  })

  it('is not announced when it is replaced, ended or charged in time', async () => {
    const { method, charges, merchant, contract } = await subscribe()
    await charges.setMethod(method, { exp_year: 2030, exp_month: 6 })
    expect(await queueExpiringCards(deps)).toBe(0)
    await charges.setMethod(method, { exp_year: 2030, exp_month: 5 })
    expect(await queueExpiringCards(deps)).toBe(1)
    await merchant.api(`/contracts/${contract}`, { method: 'DELETE' })
    expect(await received()).toEqual([])
    expect(await listMails(app)).toMatchObject([{ status: 'FAILED', error: 'OBSOLETE' }])
    await forgetMails(app)
    expect(await queueExpiringCards(deps)).toBe(0)
  })

  it('is not announced to a customer without an address', async () => {
    const { method, charges } = await subscribe(null)
    await charges.setMethod(method, { exp_year: 2030, exp_month: 5 })
    expect(await queueExpiringCards(deps)).toBe(0)
  })
})

describe('a collection that was declined', () => {
  it('is announced with the next attempt, and no more once the charge is paid', async () => {
    await subscribe()
    stubProcessor(app, () => ({
      pay: async () => ({
        status: 'DECLINED',
        reference: null,
        code: 'INSUFFICIENT_FUNDS',
        message: 'No money',
      }),
    }))
    app.pass(31 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    const [mail, more] = await received()
    expect(more).toBeUndefined()
    expect(mail?.subject).toBe('Ihre Zahlung an Corner Shop ist fehlgeschlagen')
    expect(mail?.text).toMatch(/10,00\s€/)
    expect(mail?.text).toContain('Der nächste Versuch erfolgt am 2. Juni 2030.')
    expect(mail?.text).toContain('Zahlungsart: Karte mit den Endziffern 4242')
    app.pass(DAY_MS)
    await collectDue(deps)
    expect(await listMails(app)).toHaveLength(2)
    await deps.db.updateTable('charges').set({ status: 'PAID', next_attempt: null }).execute()
    expect(await received()).toEqual([])
  })

  it('leads the customer to another payment method, each try by the same link', async () => {
    const { merchant, account, contract } = await subscribe()
    stubProcessor(app, () => ({
      pay: async () => ({ status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' }),
    }))
    app.pass(31 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    const busy = await startMailServer({
      onRcptTo: (_address, _session, accept) => accept(reply(451)),
    })
    await sendMail(app, busy)
    app.pass(2 * 60_000)
    const [mail] = await received()
    const { deep_links } = (await merchant.api('/deep_links')).json
    expect(deep_links).toMatchObject([
      {
        action: 'ADD_PAYMENT_METHOD',
        status: 'ACTIVE',
        account,
        contract,
        expires: new Date(app.now() - 2 * 60_000 + 30 * DAY_MS).toISOString(),
      },
    ])
    expect(mail?.text).toContain(`Zahlungsmittel ändern:\n${deep_links[0].url}`)
    expect(mail?.html).toContain(`href="${deep_links[0].url}"`)
    expect((await app.call(new URL(deep_links[0].url).pathname)).status).toBe(200)
  })

  it('is not announced for a payment that the merchant requested', async () => {
    const { account, method, merchant } = await subscribe()
    stubProcessor(app, () => ({
      pay: async () => ({ status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' }),
    }))
    await openPaymentsClient(app, merchant).pay(undefined, { account, payment_method: method })
    expect(await listMails(app)).toEqual([])
  })
})

describe('a webhook that was disabled', () => {
  it('is announced to each user of the merchant, without its path', async () => {
    const { merchant, receiver, notify, webhook } = await newListener(app)
    const { name } = await deps.db
      .selectFrom('merchants')
      .select('name')
      .where('id', '=', merchant.instance.merchant_id)
      .executeTakeFirstOrThrow()
    for (const email of ['boss@shop.example', 'dev@shop.example']) {
      await createUser(deps, { merchant: name, email, password: 'correct horse battery 9' })
    }
    receiver.answer(410)
    await notify()
    await deliverAll(app)
    const mails = await received()
    expect(mails.map(({ envelope }) => envelope.to.join()).toSorted()).toEqual([
      'boss@shop.example',
      'dev@shop.example',
    ])
    expect(mails[0]?.subject).toBe('A webhook of Corner Shop was disabled')
    expect(mails[0]?.text).toContain(webhook.id)
    expect(mails[0]?.text).toContain(new URL(webhook.url).host)
    expect(mails[0]?.text).not.toContain(webhook.url)
  })
})
