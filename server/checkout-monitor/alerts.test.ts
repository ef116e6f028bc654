import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { recordedEvents } from '../../test/payments-client.ts'
import { openNewLink, payNewLink } from '../../test/payer-client.ts'
import { moveClock } from '../../test/test-clock-driver.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand

const LOW = { name: 'Low', measure: 'APPROVAL', below: '0.5', window_minutes: 60, minimum: 2 }

const put = ({ api }: Pick<Merchant, 'api'>, alerts: unknown, headers = {}) =>
  api('/checkout_monitor/alerts', {
    method: 'PUT',
    body: { checkout_monitor: { alerts } },
    headers,
  })
const read = async ({ api }: Merchant) =>
  (await api('/checkout_monitor/alerts')).json.checkout_monitor
const events = async (merchant: Merchant) =>
  (await recordedEvents(app, merchant)).filter(({ type }) => type.startsWith('checkout_monitor.'))
const typesOf = async (merchant: Merchant) => (await events(merchant)).map(({ type }) => type)
const pay = (merchant: Merchant, card: string) => payNewLink({ ...app, merchant }, card)
const inAMinute = async () => {
  app.pass(60_000)
  await evaluateAlerts(deps)
}

describe('the alerts of an instance', () => {
  it('are replaced whole, at the version that is expected', async () => {
    const merchant = await app.newMerchant()
    expect(await read(merchant)).toEqual({
      alerts: [],
      created_session: null,
      updated_session: null,
      created: null,
      updated: null,
      v: 0,
    })
    const first = await put(merchant, [LOW], { 'if-match': '"0"' })
    const shown = { ...LOW, below: '0.5000', above: null, status: 'OK', changed: null }
    expect(first.json.checkout_monitor).toMatchObject({ alerts: [shown], v: 1 })
    expect((await put(merchant, [], { 'if-match': '"0"' })).status).toBe(409)
    expect((await put(merchant, [LOW])).json.checkout_monitor.v).toBe(1)
    const other = { name: 'Stuck', measure: 'UNRESOLVED', above: 3, window_minutes: 5 }
    const { json } = await put(merchant, [other, LOW], { 'if-match': '"1"' })
    expect(json.checkout_monitor.alerts).toEqual([
      { ...other, below: null, minimum: 0, status: 'OK', changed: null },
      shown,
    ])
    expect(await read(merchant)).toEqual(json.checkout_monitor)
    const expanded = await merchant.api('/checkout_monitor/alerts?expand=created_session')
    expect(expanded.json.checkout_monitor.created_session.type).toBe('API_KEY')
    expect((await put(merchant, [])).json.checkout_monitor).toMatchObject({ alerts: [], v: 3 })
  })

  it.each<[change: object | unknown[], message: string]>([
    [{ below: undefined }, 'alerts.0 must have either below or above'],
    [{ above: '0.9' }, 'alerts.0 must have either below or above'],
    [{ below: 0.5 }, 'alerts.0.below'],
    [{ below: 1 }, 'alerts.0.below must be a rate such as "0.8"'],
    [{ below: '1.1' }, 'alerts.0.below'],
    [{ below: '0.00' }, 'alerts.0.below must be more than 0, because nothing is below it'],
    [
      { measure: 'SUBMITTED', below: 0 },
      'alerts.0.below must be more than 0, because nothing is below it',
    ],
    [
      { below: undefined, above: '1.0' },
      'alerts.0.above must be less than 1, because no rate is above it',
    ],
    [{ measure: 'SUBMITTED' }, 'alerts.0.below must be an integer'],
    [{ measure: 'UNRESOLVED', below: 1 }, 'alerts.0.minimum is not for UNRESOLVED'],
    [{ measure: 'SPEED' }, 'alerts.0.measure must be'],
    [{ window_minutes: 4 }, 'alerts.0.window_minutes must be'],
    [{ window_minutes: 1441 }, 'alerts.0.window_minutes must be'],
    [{ status: 'ALERT' }, 'alerts.0.status'],
    [[LOW, LOW], 'alerts.1.name must differ from the other names'],
    [Array.from({ length: 21 }, (_, n) => ({ ...LOW, name: `${n}` })), 'alerts'],
  ])('are refused with %j', async (change, message) => {
    const alerts = Array.isArray(change) ? change : [{ ...LOW, ...change }]
    const { status, json } = await put(app.merchant, alerts)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
    expect((await read(app.merchant)).v).toBe(0)
  })

  it('need the scopes of payment links', async () => {
    const { email } = await newUser(app)
    const platform = await newPlatform(app)
    const as = async (scope: string) =>
      withToken(app, (await newTokens(app, email, platform, { scope })).access_token)
    const reader = await as('payment_links:read')
    expect((await reader('/checkout_monitor/alerts')).status).toBe(200)
    expect((await reader('/checkout_monitor')).status).toBe(200)
    expect((await reader('/checkout_monitor/stuck')).status).toBe(200)
    expect((await put({ api: reader }, [])).status).toBe(403)
    expect((await put({ api: await as('payment_links:write') }, [])).status).toBe(200)
  })
})

describe('an alert', () => {
  it('records one event when it goes on and one when it goes off', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, [LOW])
    await pay(merchant, CARDS.decline)
    await evaluateAlerts(deps)
    expect(await typesOf(merchant)).toEqual([])
    await pay(merchant, CARDS.decline)
    await inAMinute()
    await inAMinute()
    expect(await typesOf(merchant)).toEqual(['checkout_monitor.alert'])
    const [{ data } = { data: {} }] = await events(merchant)
    const { alerts, v } = await read(merchant)
    expect(data).toEqual({ checkout_monitor: { alert: alerts[0], value: '0.0000', sessions: 2 } })
    expect([alerts[0].status, v]).toEqual(['ALERT', 1])
    await pay(merchant, CARDS.approve)
    await pay(merchant, CARDS.approve)
    await inAMinute()
    // At the threshold it stays on.
    expect(await typesOf(merchant)).toEqual(['checkout_monitor.alert'])
    await pay(merchant, CARDS.approve)
    await inAMinute()
    await inAMinute()
    expect(await typesOf(merchant)).toEqual([
      'checkout_monitor.alert',
      'checkout_monitor.recovered',
    ])
  })

  it('is evaluated once a minute, by sessions within its window', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, [
      { name: 'Quiet', measure: 'SUBMITTED', below: 1, window_minutes: 5, minimum: 1 },
    ])
    await openNewLink({ ...app, merchant })
    app.pass(11 * 60_000)
    await evaluateAlerts(deps)
    await openNewLink({ ...app, merchant })
    await evaluateAlerts(deps)
    expect(await typesOf(merchant)).toEqual([])
    await inAMinute()
    expect(await typesOf(merchant)).toEqual(['checkout_monitor.alert'])
  })

  it('records one event in several processes, for payments without an outcome too', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, [{ name: 'Lost', measure: 'UNRESOLVED', above: 0, window_minutes: 5 }])
    await pay(merchant, CARDS.noAnswerNotTaken)
    await Promise.all([1, 2, 3, 4].map(() => evaluateAlerts(deps)))
    expect(await typesOf(merchant)).toEqual(['checkout_monitor.alert'])
    // A status that is repeated survives a replacement; a changed alert begins anew.
    const { json } = await put(merchant, [
      { name: 'Lost', measure: 'UNRESOLVED', above: 0, window_minutes: 5 },
      { name: 'Other', measure: 'UNRESOLVED', above: 0, window_minutes: 5 },
    ])
    const statuses = json.checkout_monitor.alerts.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['ALERT', 'OK'])
    await evaluateAlerts(deps)
    expect(await typesOf(merchant)).toHaveLength(2)
  })

  it('follows the clock of its instance', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, [{ name: 'Quiet', measure: 'SUBMITTED', below: 1, window_minutes: 60 }])
    await pay(merchant, CARDS.approve)
    await evaluateAlerts(deps)
    expect(await typesOf(merchant)).toEqual([])
    const { now } = await moveClock(app, { advance: 'PT3H' }, merchant)
    const { alerts } = await read(merchant)
    expect(alerts[0]).toMatchObject({ status: 'ALERT', changed: now })
    await evaluateAlerts(deps)
    expect(await typesOf(merchant)).toEqual(['checkout_monitor.alert'])
  })
})
