import { afterEach, describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { testCharges } from '../../test/charges.ts'
import { MAIL_SETTINGS } from '../../test/mail-settings.ts'
import { forgetMails, listMails, sendMail, startMailServer } from '../../test/mail-server.ts'
import { newLink } from '../../test/payer-client.ts'
import { type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { queueExpiringCards } from './queue-expiring-cards.ts'

const SECURE = { ...MAIL_SETTINGS, BASE_URL: 'https://pay.shop.test' }
const app = await startTestApp(SECURE)
const { deps } = app.checkstand
afterEach(async () => {
  await forgetMails(app)
  await deps.db.updateTable('contracts').set({ status: 'ENDED', next_due: null }).execute()
})

const ONE_CLICK = {
  method: 'POST',
  raw: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

/** A customer whose card expires before the next charge of a contract. */
async function subscribe(shop = app, merchant?: Merchant) {
  const of = merchant ?? (await shop.newMerchant())
  const client = openPaymentsClient(shop, of)
  const { account, method } = await client.storeCard()
  const put = (members: object) =>
    of.api(`/accounts/${account}`, { method: 'PUT', body: { account: members } })
  const read = async (): Promise<Json> => (await of.api(`/accounts/${account}`)).json.account
  await put({ email: 'ada@example.com' })
  const recurring = { frequency: 'MONTH' }
  await client.pay(undefined, { account, payment_method: method, recurring })
  await testCharges(shop, of).setMethod(method, { exp_year: 2030, exp_month: 5 })
  return { merchant: of, account, method, put, read }
}

/** The mail about the card, and the path of the link in it. */
async function receiveNotice(shop = app) {
  const server = await startMailServer()
  await queueExpiringCards(shop.checkstand.deps)
  await sendMail(shop, server)
  const [mail] = server.received
  if (!mail) throw new Error('no mail was sent')
  const url = /<(.*)>/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? ''
  return { mail, url, path: new URL(url).pathname }
}

describe('a notice', () => {
  it('has a link to refuse further ones, for a click and for the program that shows it', async () => {
    await subscribe()
    const { mail, url } = await receiveNotice()
    expect(url).toMatch(/^https:\/\/pay\.shop\.test\/unsubscribe\/acc_\w+$/)
    expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail.text).toContain(`Stop reminders:\n${url}`)
    expect(mail.html).toContain(`href="${url}"`)
  })

  it('promises one click only by https', async () => {
    const plain = await startTestApp(MAIL_SETTINGS)
    await subscribe(plain)
    const { mail, url } = await receiveNotice(plain)
    expect(url).toMatch(/^http:/)
    expect(mail.header('list-unsubscribe-post')).toBeUndefined()
  })

  it('is neither queued for a customer who refuses them, nor sent when it waits', async () => {
    const { put } = await subscribe()
    await queueExpiringCards(deps)
    await put({ mail_notices: false })
    const server = await startMailServer()
    await sendMail(app, server)
    expect(server.received).toEqual([])
    expect(await listMails(app)).toMatchObject([{ status: 'FAILED', error: 'UNSUBSCRIBED' }])
    await forgetMails(app)
    expect(await queueExpiringCards(deps)).toBe(0)
    await put({ mail_notices: true })
    expect(await queueExpiringCards(deps)).toBe(1)
  })

  it('is alone in having such a link', async () => {
    const server = await startMailServer()
    const { id } = await newLink(app.merchant)
    const body = { mail: { to: 'ada@example.com' } }
    await app.merchant.api(`/payment_links/${id}/send`, { body })
    await sendMail(app, server)
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.raw).not.toMatch(/unsubscribe|Stop reminders/i)
  })
})

describe('the page of the link', () => {
  it('changes nothing when it is opened, and shows nothing of the customer', async () => {
    const { read, account } = await subscribe()
    const { path } = await receiveNotice()
    const before = await read()
    const sessions = () => deps.db.selectFrom('actor_sessions').select('id').execute()
    const actors = await sessions()
    const page = await app.call(path)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page.text).toContain('Corner Shop sends you reminders by email')
    expect(page.text).not.toMatch(/ada@example|4242/)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await read()).toEqual(before)
    expect(await sessions()).toEqual(actors)
    expect(page.text.split(account)).toHaveLength(2)
  })

  it('refuses notices with the press of its button, and takes it back', async () => {
    const { read, merchant } = await subscribe()
    const { path } = await receiveNotice()
    const refused = await app.call(path, { method: 'POST', raw: '' })
    expect(refused.text).toContain('Corner Shop sends you no more reminders')
    expect(await read()).toMatchObject({ mail_notices: false })
    const { updated_session } = (
      await merchant.api(`/accounts/${(await read()).id}?expand=updated_session`)
    ).json.account
    expect(updated_session).toMatchObject({ type: 'CHECKOUT', checkout: null })
    const wanted = await app.call(`${path}/resume`, { method: 'POST', raw: '' })
    expect(wanted.text).toContain('Corner Shop sends you reminders by email')
    expect(await read()).toMatchObject({ mail_notices: true })
  })

  it.each([
    ['a form', ONE_CLICK],
    [
      'parts',
      {
        method: 'POST',
        raw: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
    [
      'a form of another site',
      {
        ...ONE_CLICK,
        headers: {
          ...ONE_CLICK.headers,
          origin: 'https://mail.example',
          'sec-fetch-site': 'cross-site',
        },
      },
    ],
  ])('takes the click that a mail program sends as %s, once', async (_as, call) => {
    const { read, merchant } = await subscribe()
    const { path } = await receiveNotice()
    for (let clicks = 0; clicks < 2; clicks += 1) {
      const { status, headers } = await app.call(path, call)
      expect([status, headers.get('location')]).toEqual([200, null])
    }
    expect(await read()).toMatchObject({ mail_notices: false })
    const { events } = (await merchant.api('/events?criteria=type=account.updated')).json
    const refusals = events.filter(({ data }: Json) => !data.account.mail_notices)
    expect(refusals).toHaveLength(1)
  })

  it('is in the language and the branding of the customer', async () => {
    const { merchant, put } = await subscribe()
    const kids = {
      key: 'kids',
      name: 'Kids Corner',
      channels: ['kids'],
      theme: { accent: '#b00020' },
    }
    await merchant.api('/instances/default', {
      method: 'PUT',
      body: { instance: { brandings: [kids] } },
    })
    await put({ locale: 'ar', channel: 'kids' })
    const { path, mail } = await receiveNotice()
    expect(mail.from?.name).toBe('Kids Corner')
    const page = await app.call(path, { headers: { 'accept-language': 'de' } })
    expect(page.text).toContain('<html lang="ar" dir="rtl">')
    expect(page.text).toContain('<bdi>Kids Corner</bdi>')
    expect(page.text).toContain('#b00020')
  })

  it('is that of one account: no other token opens it', async () => {
    const { account } = await subscribe()
    const { path } = await receiveNotice()
    const other = await subscribe()
    const signature = path.slice(-32)
    for (const token of [
      account,
      `${account}_${'0'.repeat(32)}`,
      `${other.account}_${signature}`,
    ]) {
      for (const call of [{}, ONE_CLICK]) {
        expect((await app.call(`/unsubscribe/${token}`, call)).status).toBe(404)
      }
    }
    expect(await other.read()).toMatchObject({ mail_notices: true })
    const refused = await app.call(path, { method: 'PUT', body: {} })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST'])
  })

  it('says that nothing is sent to a customer who was anonymised, and changes nothing', async () => {
    const { merchant, account, read } = await subscribe()
    const { path } = await receiveNotice()
    const [contract] = (await merchant.api('/contracts')).json.contracts
    await merchant.api(`/contracts/${contract.id}`, { method: 'DELETE' })
    const erased = await merchant.api(`/accounts/${account}/anonymise`, { body: {} })
    expect(erased.status, erased.text).toBe(200)
    for (const at of [path, `${path}/resume`]) {
      const { status, text } = await app.call(at, ONE_CLICK)
      expect(status).toBe(200)
      expect(text).toContain('sends you no more reminders')
      expect(text).not.toContain('<form')
    }
    expect((await read()).v).toBe(erased.json.account.v)
  })
})

describe('the choice of a customer', () => {
  it('is kept when a payment or a link names the account with other details', async () => {
    const crm_key = `ada ${Math.random()}`
    const account = { crm_key, mail_notices: false }
    const { id } = (await app.merchant.api('/accounts', { body: { account } })).json.account
    const details = { crm_key, first_name: 'Ada' }
    await openPaymentsClient(app).pay(undefined, { account: details })
    const read = await app.merchant.api(`/accounts/${id}`)
    expect(read.json.account).toMatchObject({ first_name: 'Ada', mail_notices: false })
    const { status, json } = await app.merchant.api('/payment_links', {
      body: { payment_link: { options: { account: { ...details, mail_notices: true } } } },
    })
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    const path = '/accounts?criteria=mail_notices=N'
    const listed = await app.merchant.api(path)
    expect(listed.json.accounts.map((each: Json) => each.id)).toEqual([id])
  })
})
