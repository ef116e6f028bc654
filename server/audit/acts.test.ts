import { afterAll, describe, expect, it, vi } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { newUser, newBrowser, PASSWORD, signedInBrowser } from '../../test/oauth.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { AUDIT_ACTIONS } from '../../shared/rules/audit-actions.ts'
import { hashPassword } from '../auth/passwords.ts'
import { changePassword, disableUser } from '../users/change.ts'
import { createUser } from '../users/create.ts'
import { resetFactors } from '../users/factors/reset.ts'
import {
  newRecoveryCodes,
  replaceRecoveryCodes,
  useRecoveryCode,
} from '../users/factors/recovery-codes.ts'
import { inTransaction } from '../db/transaction.ts'
import { findUser } from '../users/store.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp()
const { deps } = app.checkstand
const { merchant, email } = await newUser(app)
const { api, instance } = merchant
const asOwner = { headers: { authorization: basic(`${email}:${PASSWORD}`) }, from: '203.0.113.7' }
const rows = (action: string) =>
  deps.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', action as never)
    .execute()
const last = async (action: string) => {
  const [row] = (await rows(action)).toSorted((a, b) => (a.created < b.created ? 1 : -1))
  return row && { ...row, detail: JSON.parse(row.detail) }
}

/** All that must never be in an entry; each act adds its own. */
const secrets: string[] = [PASSWORD, merchant.secretKey]

describe('signing in', () => {
  it('is written with its factors, and each failure of a known user without what was typed', async () => {
    const browser = newBrowser(app)
    await browser.submit('/sign-in', { email, password: 'a wrong password 77' })
    await browser.submit('/sign-in', { email: 'nobody@shop.example', password: 'none of ours 77' })
    secrets.push('a wrong password 77', 'none of ours 77')
    const user = await findUser(deps.db, email)
    await vi.waitFor(async () => {
      expect(await rows('sign_in.failed')).toHaveLength(1)
    })
    expect(await last('sign_in.failed')).toMatchObject({
      actor_type: 'ANONYMOUS',
      about: user?.id,
      instance_id: null,
      detail: { step: 'PASSWORD' },
    })
    await signedInBrowser(app, email)
    expect(await last('sign_in.succeeded')).toMatchObject({
      actor_id: user?.id,
      actor_name: email,
      detail: { factors: ['PASSWORD'] },
    })
  })

  it('with Basic fails into the log as well', async () => {
    const before = (await rows('sign_in.failed')).length
    const headers = { authorization: basic(`${email}:yet another wrong one`) }
    secrets.push('yet another wrong one')
    expect((await api('/accounts', { headers, from: '198.51.100.9' })).status).toBe(401)
    await vi.waitFor(async () => {
      expect(await rows('sign_in.failed')).toHaveLength(before + 1)
    })
  })
})

describe('a user', () => {
  it('is made, given a password, freed of factors and disabled by an operator', async () => {
    const { name } = await deps.db
      .selectFrom('merchants')
      .select('name')
      .where('id', '=', instance.merchant_id)
      .executeTakeFirstOrThrow()
    const other = 'grace@shop.example'
    await createUser(deps, { merchant: name, email: other, password: 'first of two 8153' })
    await changePassword(deps, other, 'second of two 8153')
    await resetFactors(deps, other)
    await disableUser(deps, other)
    secrets.push('first of two 8153', 'second of two 8153')
    const { id } = (await findUser(deps.db, other)) ?? {}
    for (const action of ['user.created', 'password.changed', 'factor.removed', 'user.disabled']) {
      expect(await last(action), action).toMatchObject({
        actor_type: 'COMMAND_LINE',
        merchant_id: instance.merchant_id,
        about: id,
      })
    }
  })

  it('uses a recovery code, which is counted and not shown', async () => {
    const user = await findUser(deps.db, email)
    const made = await newRecoveryCodes(user?.id ?? '', app.now())
    secrets.push(...made.codes, ...made.codes.map((code) => code.replaceAll('-', '')))
    await inTransaction(deps.db, (tx) => replaceRecoveryCodes(tx, user?.id ?? '', made))
    const attempt = { userId: user?.id ?? '', typed: made.codes[3] ?? '', address: '203.0.113.9' }
    expect(await useRecoveryCode(deps.db, attempt, app.now())).toBe(true)
    expect(await useRecoveryCode(deps.db, attempt, app.now())).toBe(false)
    expect(await rows('recovery_code.used')).toHaveLength(1)
    expect(await last('recovery_code.used')).toMatchObject({
      ip: '203.0.113.9',
      detail: { left: 9 },
    })
  })
})

describe('a webhook', () => {
  it('is made, changed, rotated and deleted, each once and without its address and secrets', async () => {
    const url = 'https://hooks.example/in?token=hook-secret-991'
    secrets.push('hook-secret-991')
    const made = await api('/instance_webhooks', {
      body: { instance_webhook: { url, events: ['*'] } },
      ...asOwner,
    })
    const { id, secret } = made.json.instance_webhook
    const change = { method: 'PUT', body: { instance_webhook: { description: 'Shop' } } }
    await api(`/instance_webhooks/${id}`, change)
    await api(`/instance_webhooks/${id}`, change)
    const rotated = await api(`/instance_webhooks/${id}/rotate`, { method: 'POST' })
    await api(`/instance_webhooks/${id}`, { method: 'DELETE' })
    secrets.push(secret, rotated.json.instance_webhook.secret)
    for (const what of ['created', 'changed', 'rotated', 'deleted']) {
      expect(
        (await rows(`webhook.${what}`)).map(({ about }) => about),
        what,
      ).toEqual([id])
    }
    expect(await last('webhook.created')).toMatchObject({ actor_name: email, ip: '203.0.113.7' })
    expect(await last('webhook.changed')).toMatchObject({
      actor_type: 'API_KEY',
      actor_id: expect.stringMatching(/^key_/),
      detail: { members: ['description'] },
    })
  })
})

describe('wording', () => {
  it('is published and reverted', async () => {
    const strings = [{ id: 'methods.title', text: 'Ways to pay us' }]
    await api('/strings', { body: { strings }, ...asOwner })
    const { string_revisions } = (await api('/string_revisions?limit=1')).json
    const { id } = string_revisions[0]
    expect(await last('strings.published')).toMatchObject({ about: id, detail: { changes: 1 } })
    await api(`/string_revisions/${id}/revert`, { body: {}, ...asOwner })
    expect(await last('strings.reverted')).toMatchObject({ detail: { reverts: id, changes: 1 } })
  })
})

describe('money', () => {
  it('that a user refunds, captures or voids is written with its amount; that of a program is not', async () => {
    const payments = openPaymentsClient(app, merchant)
    const paid = await payments.pay()
    const auth = await payments.authorise()
    expect((await payments.refund(paid.id, { amount: '1.00' })).status).toBe(200)
    expect(await rows('payment.refunded')).toEqual([])
    const refund = { body: { refund: { amount: '2.00' } }, ...asOwner }
    const { json } = await api(`/payments/${paid.id}/refund`, refund)
    expect(await last('payment.refunded')).toMatchObject({
      about: json.refund.id,
      actor_name: email,
      detail: { payment: paid.id, amount: '2.00', currency: paid.currency },
    })
    const capture = { body: { capture: { amount: '1.50' } }, ...asOwner }
    expect((await api(`/payments/${auth.id}/capture`, capture)).status).toBe(200)
    expect((await api(`/payments/${auth.id}/void`, { method: 'POST', ...asOwner })).status).toBe(
      200,
    )
    expect(await last('payment.captured')).toMatchObject({ detail: { amount: '1.50' } })
    expect(await last('payment.voided')).toMatchObject({ detail: { payment: auth.id } })
  })

  it('that is refused leaves no entry', async () => {
    const paid = await openPaymentsClient(app, merchant).pay()
    const before = (await rows('payment.refunded')).length
    const refund = { body: { refund: { amount: '999999.00' } }, ...asOwner }
    expect((await api(`/payments/${paid.id}/refund`, refund)).status).toBe(400)
    expect(await rows('payment.refunded')).toHaveLength(before)
  })
})

// After all acts.
afterAll(async () => {
  const body = { secret_key: { name: `named like ${merchant.secretKey}` } }
  const made = await api('/secret_keys', { body, ...asOwner })
  secrets.push(made.json.secret_key.secret)
  const headers = { authorization: basic(`${made.json.secret_key.secret}:`) }
  await api('/secret_keys', { body, headers })
  const entries = await deps.db.selectFrom('audit').selectAll().execute()
  expect(entries.length).toBeGreaterThan(20)
  for (const { action } of entries) expect(AUDIT_ACTIONS).toContain(action)
  const csv = await api('/audit', { headers: { ...asOwner.headers, accept: 'text/csv' } })
  expect(csv.text).toContain('payment.refunded')
  const hash = await hashPassword(PASSWORD)
  for (const secret of [...secrets, hash.slice(0, 12), '$argon2']) {
    expect(secret.length, secret).toBeGreaterThan(5)
    expect(JSON.stringify(entries)).not.toContain(secret)
    expect(csv.text).not.toContain(secret)
  }
})
