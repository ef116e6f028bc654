import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { MAIL_SETTINGS } from '../../test/mail-settings.ts'
import { forgetMails, listMails, sendMail, startMailServer } from '../../test/mail-server.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { errorSummary } from '../../test/payments-client.ts'

const app = await startTestApp(MAIL_SETTINGS)
afterEach(() => forgetMails(app))

const send = (id: string, mail: Record<string, unknown>, { api } = app.merchant) =>
  api(`/payment_links/${id}/send`, { body: { mail } })

describe('a link that is sent by mail', () => {
  it('leads to its page, in the given language', async () => {
    const server = await startMailServer()
    const link = await newLink(
      app.merchant,
      { amount: '24.00', currency: 'EUR', name: 'Coffee', timezone: 'Europe/Berlin' },
      { expires: '2030-06-01T10:00:00Z' },
    )
    const { status, json } = await send(link.id, { to: 'ada@example.com', language: 'de' })
    expect([status, json.mail]).toMatchObject([
      200,
      { payment_link: link.id, status: 'WAITING', language: 'de' },
    ])
    await sendMail(app, server)
    const [mail] = server.received
    expect(mail?.subject).toBe('Zahlungsaufforderung von Corner Shop')
    expect(mail?.text).toMatch(/Corner Shop bittet Sie, 24,00\s€ zu zahlen\./)
    expect(mail?.text).toContain('1. Juni 2030 um 12:00 MESZ')
    expect(mail?.text).toContain(`${link.url}?lang=de`)
    expect(mail?.html).toContain(`href="${link.url}?lang=de"`)
  })

  it('names no amount that the payer chooses', async () => {
    const server = await startMailServer()
    await send((await newLink(app.merchant, {})).id, { to: 'ada@example.com' })
    await sendMail(app, server)
    expect(server.received[0]?.text).toContain('Corner Shop asks you to make a payment.')
    expect(server.received[0]?.text).not.toMatch(/[€$£]/)
  })

  it('names the charges that it is for, and is not sent once they are paid', async () => {
    const { newAccount, newCharge } = testCharges(app)
    const accountId = await newAccount()
    const owed = await newCharge({ accountId, amount: 1234, currency: 'EUR', description: 'March' })
    const { id } = await newLink(app.merchant, { account: accountId, charges: [owed.id] })
    const server = await startMailServer()
    await send(id, { to: 'ada@example.com' })
    await send(id, { to: 'grace@example.com' })
    await sendMail(app, server)
    expect(server.received[0]?.text).toContain('Corner Shop asks you to pay €12.34.')
    expect(server.received[0]?.text).toContain('March: €12.34')
    const db = app.checkstand.deps.db
    await db
      .updateTable('charges')
      .set({ status: 'WRITTENOFF' })
      .where('id', '=', owed.id)
      .execute()
    expect(errorSummary(await send(id, { to: 'ada@example.com' }))[1]).toBe('INVALID_STATE')
  })

  it('invites to a free trial, and says what follows it', async () => {
    const server = await startMailServer()
    const recurring = { frequency: 'MONTH', trial_days: 1 }
    const { id } = await newLink(app.merchant, { amount: '9.00', recurring })
    await send(id, { to: 'ada@example.com' })
    await sendMail(app, server)
    const [mail] = server.received
    expect(mail?.subject).toBe('Free trial with Corner Shop')
    expect(mail?.text).toContain('1 day free')
    expect(mail?.text).toContain('Then €9.00 every month. Nothing is charged today.')
    expect(mail?.text).not.toContain('asks you to pay')
  })

  it('can be sent again, to others too', async () => {
    const { id } = await newLink(app.merchant)
    await send(id, { to: 'ada@example.com' })
    await send(id, { to: 'ada@example.com' })
    await send(id, { to: 'grace@example.com' })
    expect(await listMails(app)).toHaveLength(3)
  })

  it.each([
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'Ada <ada@example.com>',
    '"a b"@example.com',
    'ada',
    `${'a'.repeat(65)}@example.com`,
  ])('goes to one address: not to %j', async (to) => {
    const { id } = await newLink(app.merchant)
    expect(errorSummary(await send(id, { to }))).toEqual([
      400,
      'INVALID_REQUEST',
      'mail.to must be an email address',
    ])
  })

  it('is not sent to a customer who was anonymised meanwhile', async () => {
    const account = { crm_key: 'ada', email: 'ada@example.com' }
    const created = await app.merchant.api('/accounts', { body: { account } })
    const { id } = await newLink(app.merchant)
    await send(id, { to: 'ada@example.com' })
    await send(id, { to: 'grace@example.com' })
    const path = `/accounts/${created.json.account.id}/anonymise`
    const response = await app.merchant.api(path, { body: {} })
    expect(response.status, response.text).toBe(200)
    const server = await startMailServer()
    await sendMail(app, server)
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([['grace@example.com']])
    const recipients = (await listMails(app)).map(({ recipient }) => recipient)
    expect(new Set(recipients)).toEqual(new Set([null, 'grace@example.com']))
  })

  it('is refused when it cannot be paid, in an unknown language and without a mail server', async () => {
    const paid = await newLink(app.merchant)
    await (await openPayerClient(app, paid.id)).payByCard(CARDS.approve, { account: {} })
    expect(errorSummary(await send(paid.id, { to: 'ada@example.com' }))).toEqual([
      400,
      'INVALID_STATE',
      'Payment link cannot be paid',
    ])
    const { id } = await newLink(app.merchant)
    expect(errorSummary(await send(id, { to: 'ada@example.com', language: 'xx' }))).toEqual([
      400,
      'INVALID_REQUEST',
      'mail.language must be a language of the instance',
    ])
    const silent = await startTestApp()
    const link = await newLink(silent.merchant)
    expect(errorSummary(await send(link.id, { to: 'ada@example.com' }, silent.merchant))).toEqual([
      400,
      'INVALID_STATE',
      'This server sends no mail',
    ])
  })

  it('is refused above the limits, by address and by instance', async () => {
    const merchant = await app.newMerchant()
    const { id } = await newLink(merchant)
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await send(id, { to: 'ada@example.com' }, merchant)).status).toBe(200)
    }
    const refused = await send(id, { to: 'Ada@example.com' }, merchant)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '43200'])
    for (let sent = 10; sent < 200; sent += 1) {
      expect((await send(id, { to: `payer${sent}@example.com` }, merchant)).status).toBe(200)
    }
    expect((await send(id, { to: 'grace@example.com' }, merchant)).status).toBe(429)
    app.pass(3_600_000)
    expect((await send(id, { to: 'grace@example.com' }, merchant)).status).toBe(200)
  })
})
