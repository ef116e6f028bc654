import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { cardToken } from '../../test/payer-client.ts'
import { type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { openTaskBrowser } from '../../test/task-browser.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { disableInstance } from '../admin/disable-instance.ts'
import { syncDueSetups } from '../method-setups/sync.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const DAY_MS = 86_400_000

async function newCustomer() {
  const merchant = await app.newMerchant()
  const { api } = merchant
  const client = openPaymentsClient(app, merchant)
  const ada = { crm_key: 'ada', first_name: 'Ada', email: 'ada@secret.example' }
  const account = (await api('/accounts', { body: { account: ada } })).json.account.id as string
  /** A contract of 9.90 EUR a month, whose first payment has stored a card. */
  async function newContract(card = CARDS.approve): Promise<Json> {
    const token = await cardToken(app, card)
    const payment = await client.pay(undefined, {
      amount: '9.90',
      account,
      payment_method: { token, save: true },
      recurring: { frequency: 'MONTH' },
    })
    expect(payment.status).toBe('SUCCESS')
    return (await api(`/contracts/${payment.contract}`)).json.contract
  }
  async function newLink(deep_link: object): Promise<Json> {
    const expires = new Date(app.now() + 7 * DAY_MS).toISOString()
    const response = await api('/deep_links', {
      body: { deep_link: { account, expires, ...deep_link } },
    })
    expect(response.status, response.text).toBe(200)
    return response.json.deep_link
  }
  const read = async (path: string) => (await api(path)).json
  const events = async () =>
    (await read('/events')).events.map(({ type, data }: Json) => ({ type, data }))
  return { merchant, api, account, newContract, newLink, read, events }
}

const openPage = async (id: string, query = '') =>
  app.checkstand.fetch(new Request(`http://localhost/go/${id}${query}`))
const open = (id: string, body: object = {}) => app.call(`/go/${id}/sessions`, { body })

const openBrowser = (id: string) => openTaskBrowser(app, id)

const setupsOf = async (account: string) =>
  deps.db.selectFrom('method_setups').selectAll().where('account_id', '=', account).execute()

describe('a link to add a payment method', () => {
  it('saves a card as the default of the account and of the contract', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract()
    app.pass(1)
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', contract: contract.id })
    const browser = await openBrowser(link.id)
    const saved = await browser.save(CARDS.mastercard)
    expect(saved.json.task.result).toMatchObject({
      outcome: 'SAVED',
      payment_method: { brand: 'mastercard', last4: '4444' },
    })
    const [method] = (await customer.read('/payment_methods')).payment_methods
    expect(method).toMatchObject({ default: true, card: { last4: '4444' } })
    const after = (await customer.read(`/contracts/${contract.id}?expand=updated_session`)).contract
    expect(after).toMatchObject({
      payment_method: method.id,
      updated_session: { type: 'CHECKOUT', checkout: null },
    })
    expect((await customer.read(`/deep_links/${link.id}`)).deep_link).toMatchObject({ uses: 1 })
    const used = (await customer.events()).find(({ type }: Json) => type === 'deep_link.used')
    expect(used.data.deep_link.last_use).toEqual({
      done: 'PAYMENT_METHOD_SAVED',
      payment_method: method.id,
      contract: contract.id,
    })
  })

  it('saves nothing for a declined card, and takes another one', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const browser = await openBrowser(link.id)
    const declined = await browser.save(CARDS.decline)
    expect(declined.json.task.result).toMatchObject({ outcome: 'DECLINED', payment_method: null })
    expect((await customer.read('/payment_methods')).payment_methods).toEqual([])
    app.pass(1)
    expect((await browser.save(CARDS.approve)).json.task.result.outcome).toBe('SAVED')
  })

  it('leads back to the merchant once the method is saved', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({
      action: 'ADD_PAYMENT_METHOD',
      options: { success_url: 'https://shop.example/account?tab=cards#top' },
    })
    const browser = await openBrowser(link.id)
    expect(browser.task.return_url).toBeNull()
    expect((await browser.save(CARDS.decline)).json.task.return_url).toBeNull()
    app.pass(1)
    const { return_url } = (await browser.save(CARDS.approve)).json.task
    const [method] = (await customer.read('/payment_methods')).payment_methods
    const parameters = `status=COMPLETED&deep_link=${link.id}&payment_method=${method.id}`
    expect(return_url).toBe(
      `https://shop.example/account?tab=cards&${parameters}&account=${customer.account}#top`,
    )
  })

  it('has the branding and the time zone that its options name', async () => {
    const customer = await newCustomer()
    const brandings = [{ key: 'kids', name: 'Kids Club', channels: ['kids-web'] }]
    const body = { instance: { brandings } }
    expect((await customer.api('/instances/default', { method: 'PUT', body })).status).toBe(200)
    const link = await customer.newLink({
      action: 'ADD_PAYMENT_METHOD',
      options: { channel: 'kids-web', timezone: 'Asia/Tokyo' },
    })
    const html = await (await openPage(link.id)).text()
    expect([html.includes('Kids Club'), html.includes('Asia/Tokyo')]).toEqual([true, true])
    await (await openBrowser(link.id)).save(CARDS.approve)
    const [method] = (await customer.read('/payment_methods')).payment_methods
    expect(method.consent.text).toContain('Kids Club')
  })

  it('leads to the bank, and back to the page', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const browser = await openBrowser(link.id)
    const { result } = (await browser.save(CARDS.challenge)).json.task
    expect(result).toMatchObject({ outcome: 'ACTION', action_url: expect.stringMatching(/^http/) })
    const back = await browser.approveAtBank(result.action_url)
    expect(back.href).toContain(`/go/${link.id}?st=`)
    expect((await browser.call('')).json.task.result.outcome).toBe('SAVED')
  })

  it('shows the saved card to the browser that comes back from the bank with the last use', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', max_uses: 1 })
    const browser = await openBrowser(link.id)
    const { result } = (await browser.save(CARDS.challenge)).json.task
    const back = await browser.approveAtBank(result.action_url)
    expect((await openPage(link.id)).status).toBe(410)
    const page = await openPage(link.id, back.search)
    expect([page.status, (await page.text()).includes('•••')]).toEqual([200, false])
    expect((await openPage(link.id, '?st=guessed')).status).toBe(410)
    const again = await open(link.id, { token: browser.token })
    expect(again.json.task.result).toMatchObject({ outcome: 'SAVED' })
    expect((await open(link.id)).status).toBe(410)
  })

  it('records one exhaustion, and is used no more often than it allows', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', max_uses: 2 })
    const browser = await openBrowser(link.id)
    const read = async () => (await customer.read(`/deep_links/${link.id}`)).deep_link
    expect((await browser.save(CARDS.challenge)).json.task.result.outcome).toBe('ACTION')
    expect(await read()).toMatchObject({ uses: 0, reserved_uses: 1 })
    await browser.save(CARDS.decline)
    expect(await read()).toMatchObject({ uses: 0, reserved_uses: 0 })
    const outcomes = await Promise.all(
      [CARDS.approve, CARDS.mastercard, CARDS.approve, CARDS.mastercard].map((card) =>
        browser.save(card),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    await browser.save(CARDS.approve)
    await browser.save(CARDS.mastercard)
    expect(await read()).toMatchObject({ uses: 2, reserved_uses: 0, status: 'EXHAUSTED' })
    const types = (await customer.events())
      .map(({ type }: Json) => type)
      .filter((type: string) => type.startsWith('deep_link.'))
    expect(types.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
      'deep_link.created',
      'deep_link.exhausted',
      'deep_link.used',
      'deep_link.used',
    ])
  })

  it('does not lose a use to a browser that left without an outcome', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', max_uses: 1 })
    await (await openBrowser(link.id)).save(CARDS.noAnswerTaken)
    app.pass(31 * 60_000)
    const other = await openBrowser(link.id)
    expect((await other.save(CARDS.mastercard)).json.task.result.outcome).toBe('SAVED')
    await syncDueSetups(deps)
    expect((await customer.read('/payment_methods')).payment_methods).toMatchObject([
      { card: { last4: '4444' } },
    ])
    const { deep_link } = await customer.read(`/deep_links/${link.id}`)
    expect(deep_link).toMatchObject({ uses: 1, reserved_uses: 0 })
  })

  it('stores the consent in the language in which the page showed it last', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const { token, save } = await openBrowser(link.id)
    expect((await open(link.id, { token, language: 'fr' })).json.status).toBe('OPEN')
    await save(CARDS.approve)
    const [method] = (await customer.read('/payment_methods')).payment_methods
    expect(method.consent).toMatchObject({
      language: 'fr',
      text: expect.stringMatching(/enregistre/),
    })
  })

  it('tries no more cards at once than one after another', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const browser = await openBrowser(link.id)
    const tries = Array.from({ length: 20 }, () => browser.save(CARDS.decline))
    const refused = (await Promise.all(tries)).filter(({ status }) => status === 429)
    expect(refused).toHaveLength(12)
    expect(await setupsOf(customer.account)).toHaveLength(8)
  })

  it('makes an account wait after eight declined cards', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const browser = await openBrowser(link.id)
    for (let tries = 0; tries < 8; tries += 1) await browser.save(CARDS.decline)
    const refused = await browser.save(CARDS.approve)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  })
})

describe('a link to manage a contract', () => {
  it('shows the contract without anything that identifies the customer', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract()
    const link = await customer.newLink({
      action: 'MANAGE_CONTRACT',
      contract: contract.id,
      allow: ['CANCEL'],
    })
    const { task } = await openBrowser(link.id)
    expect(task).toEqual({
      action: 'MANAGE_CONTRACT',
      contract: {
        description: null,
        amount: '9.90',
        currency: 'EUR',
        currency_digits: 2,
        frequency: 'MONTH',
        interval: 1,
        next_due: contract.next_due,
        status: 'ACTIVE',
        payment_method: { type: 'CARD', brand: 'visa', last4: '4242', expired: false },
      },
      allow: ['CANCEL'],
      result: null,
      return_url: null,
    })
    const page = await openPage(link.id)
    expect(page.status).toBe(200)
    const html = await page.text()
    for (const secret of ['Ada', 'secret.example', '4242', '9.90', customer.account]) {
      expect(html).not.toContain(secret)
    }
  })

  it('pauses, resumes and cancels the contract, once each', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract()
    const allow = ['CANCEL', 'PAUSE']
    const link = await customer.newLink({ action: 'MANAGE_CONTRACT', contract: contract.id, allow })
    const browser = await openBrowser(link.id)
    for (const [change, status] of [
      ['PAUSE', 'PAUSED'],
      ['PAUSE', 'PAUSED'],
      ['RESUME', 'ACTIVE'],
      ['CANCEL', 'CANCELLED'],
      ['CANCEL', 'CANCELLED'],
    ] as const) {
      expect((await browser.change(change)).json.task.contract.status).toBe(status)
    }
    expect((await browser.change('RESUME')).json.error.type).toBe('INVALID_STATE')
    const done = (await customer.events())
      .filter(({ type }: Json) => type === 'deep_link.used')
      .map(({ data }: Json) => data.deep_link.last_use.done)
    expect(done.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
      'CONTRACT_CANCELLED',
      'CONTRACT_PAUSED',
      'CONTRACT_RESUMED',
    ])
  })

  it('refuses what it does not allow', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract()
    const link = await customer.newLink({
      action: 'MANAGE_CONTRACT',
      contract: contract.id,
      allow: ['PAUSE'],
    })
    const browser = await openBrowser(link.id)
    expect((await browser.change('CANCEL')).json.error.type).toBe('INVALID_STATE')
    expect((await browser.save(CARDS.approve)).json.error.type).toBe('INVALID_STATE')
  })

  it('collects the next charge from the new card after a collection failed', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract('4000000000000341')
    app.pass(32 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    const charges = async () =>
      (await customer.read(`/charges?criteria=contract=${contract.id}`)).charges
    const [failed] = await charges()
    expect(failed).toMatchObject({ status: 'ACTIVE' })
    const allow = ['PAYMENT_METHOD']
    const link = await customer.newLink({ action: 'MANAGE_CONTRACT', contract: contract.id, allow })
    const browser = await openBrowser(link.id)
    expect((await browser.save(CARDS.mastercard)).json.task.contract.payment_method).toMatchObject({
      last4: '4444',
    })
    app.pass(2 * DAY_MS)
    await collectDue(deps)
    expect((await charges()).find(({ id }: Json) => id === failed.id)).toMatchObject({
      status: 'PAID',
    })
  })
})

describe('the session of a task', () => {
  it('belongs to the first browser until it was idle for half an hour', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const first = await openBrowser(link.id)
    const second = await open(link.id)
    expect(second.json).toMatchObject({ status: 'IN_USE', token: null, task: null })
    expect((await open(link.id, { token: first.token })).json.token).toBe(first.token)
    app.pass(31 * 60_000)
    const third = await openBrowser(link.id)
    expect((await first.call('')).status).toBe(401)
    expect((await third.call('')).status).toBe(200)
  })

  it('is one, however many browsers ask at once', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => open(link.id)))
    const statuses = answers.map(({ json }) => json.status)
    expect(statuses.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
      'IN_USE',
      'IN_USE',
      'IN_USE',
      'OPEN',
    ])
  })

  it('ends with the link', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', max_uses: 1 })
    const browser = await openBrowser(link.id)
    await browser.save(CARDS.approve)
    expect((await browser.save(CARDS.mastercard)).status).toBe(410)
    const archived = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    await customer.api(`/deep_links/${archived.id}`, { method: 'DELETE' })
    expect((await open(archived.id)).status).toBe(410)
    expect((await openPage(archived.id)).status).toBe(410)
  })

  it('shows nothing once the link, its account or its instance is withdrawn', async () => {
    const withdrawals: ((
      customer: Awaited<ReturnType<typeof newCustomer>>,
      id: string,
    ) => unknown)[] = [
      async ({ api }, id) => api(`/deep_links/${id}`, { method: 'DELETE' }),
      async ({ api, account }) =>
        api(`/accounts/${account}`, { method: 'PUT', body: { account: { status: 'ARCHIVED' } } }),
      async ({ merchant }) => disableInstance(deps, merchant.instance.id),
    ]
    for (const [at, withdraw] of withdrawals.entries()) {
      const customer = await newCustomer()
      const contract = await customer.newContract()
      const allow = ['CANCEL']
      const link = await customer.newLink({
        action: 'MANAGE_CONTRACT',
        contract: contract.id,
        allow,
      })
      const browser = await openBrowser(link.id)
      await withdraw(customer, link.id)
      const statuses = [
        (await browser.call('')).status,
        (await browser.change('CANCEL')).status,
        (await browser.save(CARDS.approve)).status,
        (await open(link.id, { token: browser.token })).status,
        (await openPage(link.id)).status,
      ]
      expect(statuses, `withdrawal ${at}`).toEqual([410, 410, 410, 410, 410])
    }
  })

  it('is not prolonged after the link has expired', async () => {
    const customer = await newCustomer()
    const expires = new Date(app.now() + 10 * 60_000).toISOString()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD', expires })
    const browser = await openBrowser(link.id)
    app.pass(11 * 60_000)
    expect((await browser.save(CARDS.approve)).status).toBe(410)
    expect((await browser.call('')).status).toBe(200)
    app.pass(20 * 60_000)
    expect((await browser.call('')).status).toBe(401)
  })

  it('of another browser stores nothing of those that ask for it', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    await openBrowser(link.id)
    const count = async () =>
      (await deps.db.selectFrom('actor_sessions').select('id').execute()).length
    const before = await count()
    for (let tries = 0; tries < 3; tries += 1) await open(link.id)
    expect(await count()).toBe(before)
  })

  it('is of one link, and is no way to another', async () => {
    const customer = await newCustomer()
    const contract = await customer.newContract()
    const allow = ['CANCEL']
    const [mine, other] = [
      await customer.newLink({ action: 'ADD_PAYMENT_METHOD' }),
      await customer.newLink({ action: 'MANAGE_CONTRACT', contract: contract.id, allow }),
    ]
    const browser = await openBrowser(mine.id)
    const held = await openBrowser(other.id)
    expect((await browser.change('CANCEL')).json.error.type).toBe('INVALID_STATE')
    expect((await open(other.id, { token: browser.token })).json.status).toBe('IN_USE')
    const forged = `${held.token.split('_').slice(0, 3).join('_')}_${browser.token.split('_').slice(3).join('_')}`
    const payer = await app.call('/pay/checkouts/current', {
      headers: { authorization: `Bearer ${browser.token}` },
    })
    const withForged = await app.call('/go/sessions/current', {
      headers: { authorization: `Bearer ${forged}` },
    })
    expect([payer.status, withForged.status]).toEqual([401, 401])
    expect((await customer.read(`/contracts/${contract.id}`)).contract.status).toBe('ACTIVE')
  })

  it('is opened by no look at the page', async () => {
    const customer = await newCustomer()
    const link = await customer.newLink({ action: 'ADD_PAYMENT_METHOD' })
    await openPage(link.id)
    const sessions = await deps.db
      .selectFrom('deep_link_sessions')
      .select('id')
      .where('deep_link_id', '=', link.id)
      .execute()
    expect(sessions).toEqual([])
  })
})
