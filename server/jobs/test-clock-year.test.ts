import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS, cardNumberFor } from '../../test/cards.ts'
import { sandboxRecord, DAY_MS, type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { cardToken, readLink, openNewLink } from '../../test/payer-client.ts'
import { moveClock } from '../../test/test-clock-driver.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { db } = app.checkstand.deps

/** Cards of the sandbox whose refunds and captures are decided a day or three days later. */
const REFUND_REFUSED_AFTER_REVIEW = cardNumberFor('REFUND_REVIEW_THEN_FAILURE')
const CAPTURE_RETURNED_DAYS_LATER = cardNumberFor('CAPTURE_FAILURE_DAYS_LATER')
const CAPTURE_TAKEN_AFTER_REVIEW = cardNumberFor('CAPTURE_REVIEW_THEN_SUCCESS')

it('a year in one move settles everything open, and both ledgers agree', async () => {
  const merchant = await app.newMerchant()
  const { api } = merchant
  const till = openPaymentsClient(app, merchant)
  const until = { exp_month: 10, exp_year: 2030 }
  const { contract } = await till.pay(undefined, {
    account: { crm_key: 'subscriber' },
    payment_method: { token: await cardToken(app, CARDS.approve, until), save: true },
    recurring: { frequency: 'MONTH' },
  })
  const { account, method: payment_method } = await till.storeCard()
  const due = new Date(app.now() + 5 * DAY_MS).toISOString()
  const order = { amount: '10.00', currency: 'EUR', account, payment_method, due }
  const scheduled = (await till.send(order)).json.payment
  const paid = await till.pay(REFUND_REFUSED_AFTER_REVIEW)
  const refund = (await till.refund(paid.id, { amount: '4.00' })).json.refund
  const returned = await till.authorise(CAPTURE_RETURNED_DAYS_LATER)
  await till.capture(returned.id, { amount: '40.00' })
  const captured = await till.authorise(CAPTURE_TAKEN_AFTER_REVIEW)
  await till.capture(captured.id, { amount: '40.00', final: true })
  const expires = new Date(app.now() + 3 * DAY_MS).toISOString()
  const { link, payer } = await openNewLink({ ...app, merchant }, undefined, { expires })
  await payer.payByCard(CARDS.challenge)

  const clock = await moveClock(app, { advance: 'P1Y' }, merchant)

  expect(clock).toMatchObject({ now: '2031-05-01T12:00:00.000Z', target: null })
  const open = await db
    .selectFrom('attempts')
    .select('id')
    .where('instance_id', '=', merchant.instance.id)
    .where((eb) => eb.or([eb('state', '<>', 'DONE'), eb('next_check', 'is not', null)]))
    .execute()
  expect(open).toEqual([])
  expect((await till.read(scheduled.id)).processed).toBe(due)
  expect((await api(`/refunds/${refund.id}`)).json.refund.status).toBe('DECLINED')
  expect((await readLink(merchant, link.id)).status).toBe('EXPIRED')
  // Six months are paid; from November on the card has expired, and each charge is tried five times.
  const { json } = await api(`/charges?criteria=contract=${contract}&order=due`)
  const statuses = json.charges.map(({ status }: Json) => status)
  expect(statuses).toEqual([...Array(6).fill('PAID'), ...Array(7).fill('ACTIVE')])
  const declined = await api('/payments?criteria=status=DECLINE,source=RECURRING&limit=1')
  expect(declined.json.meta.total).toBe(6 * 5 + 1)
  const books = async (id: string) => {
    const row = await db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return [row, await sandboxRecord(app, row.gateway_reference as string)]
  }
  expect(await books(paid.id)).toMatchObject([{ refunded_amount: 0 }, { refunded: 0, refunds: 0 }])
  expect(await books(returned.id)).toMatchObject([
    { captured_amount: 0, released_amount: 0 },
    { captured: 0, released: 0, captures: 0 },
  ])
  expect(await books(captured.id)).toMatchObject([
    { captured_amount: 4000, released_amount: 6000 },
    { captured: 4000, released: 6000, captures: 4000, voids: 6000 },
  ])
}, 60_000)
