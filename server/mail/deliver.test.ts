import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../test/certificate.ts'
import { MAIL_SETTINGS } from '../../test/mail-settings.ts'
import { forgetMails, listMails, reply, sendMail, startMailServer } from '../../test/mail-server.ts'
import { newLink } from '../../test/payer-client.ts'
import { MAIL_LEASE_MS, createMailDeliverer } from './deliver.ts'
import { pruneMails } from './outbox.ts'
import { createSmtp } from './smtp.ts'
import { MAIL_GIVEN_UP_MS, MAIL_RETRY_AFTER_MS } from './retry-schedule.ts'

const app = await startTestApp(MAIL_SETTINGS)
const { deps } = app.checkstand
afterEach(() => forgetMails(app))

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LOCAL = { host: '127.0.0.1', secure: false, auth: undefined }
const TLS = { cert: TEST_CERTIFICATE, key: TEST_KEY }

/** Queues one mail. */
async function queueLink(to = 'ada@example.com', options: Record<string, unknown> = {}) {
  const link = await newLink(app.merchant, { amount: '12.50', currency: 'EUR', ...options })
  const path = `/payment_links/${link.id}/send`
  const response = await app.merchant.api(path, { body: { mail: { to } } })
  expect(response.status, response.text).toBe(200)
  return { link, mail: response.json.mail }
}

const outbox = async () => (await listMails(app))[0]

describe('a mail', () => {
  it('goes to one recipient, as an automatic message with a stable id', async () => {
    const server = await startMailServer()
    const { mail } = await queueLink()
    await sendMail(app, server)
    const [received] = server.received
    expect(received?.envelope).toEqual({ from: 'pay@checkstand.test', to: ['ada@example.com'] })
    expect(received?.messageId).toBe(`<${mail.id}@checkstand.test>`)
    expect(received?.header('auto-submitted')).toBe('auto-generated')
    expect(received?.from).toEqual({ name: 'Corner Shop', address: 'pay@checkstand.test' })
    expect(await outbox()).toMatchObject({
      status: 'SENT',
      attempts: 1,
      response_code: 250,
      error: null,
      next_attempt: null,
      sent: new Date(app.now()).toISOString(),
    })
  })

  it('is sent once', async () => {
    const server = await startMailServer()
    await queueLink()
    for (let times = 0; times < 3; times += 1) await sendMail(app, server)
    app.pass(2 * DAY_MS)
    await sendMail(app, server)
    expect(server.received).toHaveLength(1)
  })

  it('is sent by one of several processes', async () => {
    const server = await startMailServer()
    for (let count = 0; count < 8; count += 1) await queueLink(`payer${count}@example.com`)
    for (let round = 0; round < 2; round += 1) {
      await Promise.all([sendMail(app, server), sendMail(app, server), sendMail(app, server)])
    }
    const recipients = server.received.flatMap(({ envelope }) => envelope.to)
    expect(recipients.toSorted()).toEqual(
      Array.from({ length: 8 }, (_, count) => `payer${count}@example.com`),
    )
  })

  it('is sent again with the same id by another process after its sender died', async () => {
    const server = await startMailServer()
    await queueLink()
    let accepted: (() => void) | undefined
    const dies = createMailDeliverer(deps, () => new Promise<null>(() => accepted?.()))
    const hangs = new Promise<void>((resolve) => {
      accepted = resolve
    })
    await dies.start()
    await hangs
    expect(await sendMail(app, server)).toBe(0)
    app.pass(MAIL_LEASE_MS)
    expect(await sendMail(app, server)).toBe(1)
    expect(server.received).toHaveLength(1)
  })

  it('is queued once for a repeated request', async () => {
    const { link } = await queueLink()
    await forgetMails(app)
    const path = `/payment_links/${link.id}/send`
    const headers = { 'idempotency-key': 'twice' }
    const call = { body: { mail: { to: 'ada@example.com' } }, headers }
    const [first, second] = [await app.merchant.api(path, call), await app.merchant.api(path, call)]
    expect(second.text).toBe(first.text)
    expect(await listMails(app)).toHaveLength(1)
  })
})

describe('a mail that was not accepted', () => {
  it('is tried again when the server was greylisting', async () => {
    let tries = 0
    const server = await startMailServer({
      onRcptTo: (_address, _session, accept) => {
        tries += 1
        accept(tries === 1 ? reply(451, 'greylisted') : null)
      },
    })
    await queueLink()
    await sendMail(app, server)
    const next_attempt = (await outbox())?.next_attempt ?? ''
    expect(await outbox()).toMatchObject({
      status: 'WAITING',
      attempts: 1,
      error: 'DEFERRED',
      response_code: 451,
    })
    expect(Date.parse(next_attempt) - app.now()).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(await sendMail(app, server)).toBe(0)
    app.pass(1.1 * MINUTE_MS)
    await sendMail(app, server)
    expect(server.received).toHaveLength(1)
    expect(await outbox()).toMatchObject({ status: 'SENT', attempts: 2, error: null })
  })

  it('is given up at once when its recipient does not exist', async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, accept) => accept(reply(550, 'no such user')),
    })
    await queueLink()
    await sendMail(app, server)
    const failed = { status: 'FAILED', error: 'RECIPIENT_REFUSED', response_code: 550 }
    expect(await outbox()).toMatchObject({ ...failed, next_attempt: null })
    expect(app.logged()).not.toContain('ada@example.com')
  })

  it('is given up at once when its content is refused', async () => {
    const server = await startMailServer({
      onData(stream, _session, accept) {
        stream.resume().on('end', () => accept(reply(554, 'spam')))
      },
    })
    await queueLink()
    await sendMail(app, server)
    expect(await outbox()).toMatchObject({ status: 'FAILED', error: 'MESSAGE_REFUSED' })
  })

  it('is tried again when a setting was refused: the sender or the login', async () => {
    const strict = await startMailServer({
      onMailFrom: (_address, _session, accept) => accept(reply(550, 'not yours')),
    })
    await queueLink()
    await sendMail(app, strict)
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'SENDER_REFUSED' })
    const closed = await startMailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, accept) => accept(reply(535, 'wrong password')),
    })
    app.pass(1.1 * MINUTE_MS)
    const url = `smtp://shop:s3cret-word@127.0.0.1:${closed.port}`
    expect(await sendMail(app, closed, { url })).toBe(1)
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'LOGIN_REFUSED' })
    expect(app.logged()).not.toContain('s3cret-word')
  })

  it('is tried again after a connection that was refused, was silent or ended in the middle', async () => {
    await queueLink()
    await sendMail(app, { port: 9 })
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'CONNECTION_FAILED' })

    app.pass(1.1 * MINUTE_MS)
    const silent = await startMailServer({ onMailFrom: () => {} })
    await sendMail(app, silent, { timeoutMs: 200 })
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'TIMEOUT', attempts: 2 })

    app.pass(5.5 * MINUTE_MS)
    const dying = await startMailServer({
      // The content has arrived, and no one will ever know whether it was accepted.
      onData(stream) {
        stream.resume().on('end', () => dying.hangUp())
      },
    })
    await sendMail(app, dying, { timeoutMs: 1000 })
    expect(await outbox()).toMatchObject({ status: 'WAITING', attempts: 3 })
    expect((await outbox())?.error).toMatch(/^(CONNECTION_FAILED|TIMEOUT)$/)

    app.pass(16.5 * MINUTE_MS)
    const server = await startMailServer()
    await sendMail(app, server)
    expect(server.received).toHaveLength(1)
  })

  it('is given up after a day', async () => {
    await queueLink()
    let tries = 0
    const refuse = createMailDeliverer(deps, async () => {
      tries += 1
      return { error: 'DEFERRED', code: 451, permanent: false }
    })
    for (let passed = 0; passed <= MAIL_GIVEN_UP_MS; passed += 30 * MINUTE_MS) {
      await refuse.start()
      await refuse.drain()
      app.pass(30 * MINUTE_MS)
    }
    expect(tries).toBeGreaterThanOrEqual(MAIL_RETRY_AFTER_MS.length - 2)
    expect(tries).toBeLessThanOrEqual(MAIL_RETRY_AFTER_MS.length + 1)
    expect(await outbox()).toMatchObject({ status: 'FAILED', next_attempt: null })
  })

  it('is given up without a try when no server was set for a day', async () => {
    const server = await startMailServer()
    await queueLink()
    app.pass(MAIL_GIVEN_UP_MS + 1)
    await sendMail(app, server)
    expect(server.received).toEqual([])
    expect(await outbox()).toMatchObject({ status: 'FAILED', error: 'GIVEN_UP' })
  })

  it('is given up when what it says is no longer true', async () => {
    const server = await startMailServer()
    const { link } = await queueLink()
    await app.merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' })
    await sendMail(app, server)
    expect(server.received).toEqual([])
    expect(await outbox()).toMatchObject({ status: 'FAILED', error: 'OBSOLETE' })
  })
})

describe('the connection to the mail server', () => {
  it('is encrypted where the server offers it, and its certificate is verified', async () => {
    const server = await startMailServer(TLS)
    await queueLink()
    const url = `smtp://localhost:${server.port}`
    await sendMail(app, server, { url })
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'TLS_FAILED' })
    app.pass(1.1 * MINUTE_MS)
    await sendMail(app, server, { url, ca: TEST_CERTIFICATE })
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.raw).not.toBe('')
  })

  it('is not made without encryption, except on this machine', async () => {
    const server = await startMailServer()
    await queueLink()
    const elsewhere = { ...LOCAL, port: server.port, requireTLS: true }
    const deliverer = createMailDeliverer(deps, createSmtp(elsewhere, { timeoutMs: 5000 }))
    await deliverer.start()
    await deliverer.drain()
    expect(server.received).toEqual([])
    expect(await outbox()).toMatchObject({ status: 'WAITING', error: 'TLS_FAILED' })
  })

  it('with smtps: is encrypted from the start', async () => {
    const server = await startMailServer({ ...TLS, secure: true })
    await queueLink()
    const url = `smtps://localhost:${server.port}`
    await sendMail(app, server, { url })
    expect(await outbox()).toMatchObject({ error: 'TLS_FAILED' })
    app.pass(1.1 * MINUTE_MS)
    await sendMail(app, server, { url, ca: TEST_CERTIFICATE })
    expect(server.received).toHaveLength(1)
  })
})

describe('the outbox', () => {
  it('forgets addresses after a week, and mails after 400 days', async () => {
    const server = await startMailServer()
    await queueLink()
    await pruneMails(deps)
    await sendMail(app, server)
    app.pass(7 * DAY_MS - 1)
    await pruneMails(deps)
    expect((await outbox())?.recipient).toBe('ada@example.com')
    app.pass(1)
    await pruneMails(deps)
    expect(await outbox()).toMatchObject({ recipient: null, status: 'SENT' })
    app.pass(393 * DAY_MS)
    await pruneMails(deps)
    expect(await listMails(app)).toEqual([])
  })
})
