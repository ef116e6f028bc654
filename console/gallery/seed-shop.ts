import { randomUUID } from 'node:crypto'
import { CARDS } from '../../test/cards.ts'
import type { ApiResponse, Client, MerchantClient } from '../../test/client.ts'

/** Records of the shop that screens of one record show. */
export interface ShopIds {
  account: string
  charge: string
  checkout: string
  contract: string
  deep_link: string
  event: string
  payment: string
  payment_link: string
  secret_key: string
  webhook: string
}

export interface ShopSeed {
  client: Client
  api: MerchantClient['api']
  /** Lets that many minutes pass between two records. */
  pass?: (minutes: number) => void
  /** Where the shop is sent its events. */
  hook?: string
}

/** A customer of the shop, with whom a payer's details are filled in. */
const PEOPLE = {
  amina: { first_name: 'Amina', last_name: 'Okafor', email: 'amina@example.com' },
  noor: { first_name: 'Noor', last_name: 'Haddad', email: 'noor@example.com' },
  marta: { first_name: 'Marta', last_name: 'Nowak', email: 'marta.nowak@example.com' },
  jonas: { first_name: 'Jonas', last_name: 'Weber', email: 'jonas@example.com' },
  elif: { first_name: 'Elif', last_name: 'Kaya', email: 'elif.kaya@example.com' },
  petra: { first_name: 'Petra', last_name: 'Sundqvist', email: 'petra@example.com' },
}

interface Sale {
  name: string
  amount?: string
  alt_key?: string
  person?: keyof typeof PEOPLE
  /** The cards that the payer tries; the page is only opened without one. */
  cards?: readonly string[]
  language?: string
  more?: Record<string, unknown>
  /** Minutes until the next sale. */
  pause: number
}

const HOUR = 60
const DAY = 24 * HOUR

/** What was sold, oldest first. */
const SALES: readonly Sale[] = [
  {
    name: 'Two bags of coffee',
    amount: '24.00',
    alt_key: 'order-1028',
    person: 'petra',
    cards: [CARDS.approve],
    language: 'sv',
    pause: 19 * HOUR,
  },
  {
    name: 'Shelf space, November',
    amount: '45.00',
    alt_key: 'inv-2031-112',
    person: 'jonas',
    cards: [CARDS.expired, CARDS.mastercard],
    language: 'de',
    pause: 22 * HOUR,
  },
  { name: 'Repair of a teapot', amount: '38.50', alt_key: 'order-1035', pause: 5 * HOUR },
  {
    name: 'Gift card',
    amount: '50.00',
    alt_key: 'order-1033',
    person: 'jonas',
    cards: [CARDS.approve],
    language: 'de',
    pause: DAY,
  },
  {
    name: 'Glaze course, four evenings',
    amount: '280.00',
    alt_key: 'order-1036',
    person: 'marta',
    cards: [CARDS.challenge],
    language: 'pl',
    pause: 20 * HOUR,
  },
  {
    name: 'Ceramics workshop, 28 March',
    amount: '124.00',
    alt_key: 'order-1031',
    person: 'elif',
    cards: [CARDS.insufficient],
    language: 'fr',
    pause: 18 * HOUR,
  },
  { name: 'Donation, spring fair', pause: 4 * HOUR, language: 'en', cards: [] },
  {
    name: 'Wedding table set, second half',
    amount: '1860.00',
    alt_key: 'order-0997',
    person: 'noor',
    cards: [CARDS.refundPendingSuccess],
    pause: 3 * HOUR,
  },
  {
    name: 'Deposit, kiln rental',
    amount: '350.00',
    alt_key: 'inv-2031-118',
    cards: [CARDS.insufficient, CARDS.approve],
    person: 'elif',
    language: 'en',
    pause: 40,
  },
  {
    name: 'Two bags of coffee',
    amount: '24.00',
    alt_key: 'order-1001',
    cards: [CARDS.insufficient],
    more: {
      description: 'Espresso roast, 2 × 500 g',
      success_url: 'https://shop.example/thanks',
      page_intro: 'Roasted on Mondays, sent on Tuesdays.',
    },
    pause: 10,
  },
]

/** Fills an empty shop with a week of sales over HTTP, as its customers and its server would. */
export async function seedShop({ client, api, pass = () => {}, hook }: ShopSeed): Promise<ShopIds> {
  const send = async (path: string, body: unknown, method = 'POST') =>
    expectOk(await api(path, { method, body }))
  await furnish(send)
  const webhook = { url: hook ?? 'https://shop.example/hooks', events: ['*'] }
  const hooked = await send('/instance_webhooks', { instance_webhook: webhook })
  const secret = { name: 'Accounting', scopes: ['payments:read', 'charges:read'] }
  const made = await send('/secret_keys', { secret_key: secret })

  const contract = await subscribe()
  let last = { link: '', checkout: '' }
  for (const sale of SALES) {
    last = await sell(sale)
    pass(sale.pause)
  }
  await orders()
  const paid = await sell({
    name: 'Ceramics workshop, 14 March',
    amount: '124.00',
    alt_key: 'order-1042',
    person: 'amina',
    cards: [CARDS.insufficient, CARDS.challenge],
    language: 'fr',
    pause: 0,
  })
  pass(12)
  const { payment, account } = (await read(`/payment_links/${paid.link}`))['payment_link']
  const reason = 'One place less'
  await send(`/payments/${payment}/refund`, { refund: { amount: '24.00', reason } })
  const poster = await deepLink()
  pass(2)
  const [event] = (await read('/events?limit=1'))['events']
  return {
    account,
    charge: contract.charge,
    checkout: paid.checkout,
    contract: contract.contract,
    deep_link: poster,
    event: event.id,
    payment,
    payment_link: last.link,
    secret_key: made['secret_key'].id,
    webhook: hooked['instance_webhook'].id,
  }

  async function read(path: string) {
    return expectOk(await api(path))
  }

  async function token(number: string): Promise<string> {
    const card = { number, exp_month: 12, exp_year: 2034, csc: '123' }
    return expectOk(await client.call('/sandbox/tokens', { body: { card } }))['token']
  }

  /** Makes a link, and lets its payer try one card after the other. */
  async function sell({ name, amount, alt_key, person, cards, language, more }: Sale) {
    const account = person && { crm_key: person, ...PEOPLE[person] }
    const options = { name, amount, alt_key, account, ...more }
    const { payment_link: link } = await send('/payment_links', { payment_link: { options } })
    if (!cards) return { link: link.id as string, checkout: '' }
    pass(6)
    const checkout = await payAt(`/pay/${link.id}`, cards, language, amount ? {} : { amount: '15' })
    return { link: link.id as string, checkout }
  }

  async function payAt(
    path: string,
    cards: readonly string[],
    language = 'en',
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const { token: session, checkout } = expectOk(
      await client.call(`${path}/checkouts`, { body: { language } }),
    )
    const headers = { authorization: `Bearer ${session}` }
    for (const number of cards) {
      pass(1)
      const payment_method = { type: 'CARD', processor: 'sandbox', token: await token(number) }
      const { options_v } = checkout
      const body = { attempt_key: randomUUID(), options_v, payment_method, ...more }
      const { action } = expectOk(
        await client.call('/pay/checkouts/current/submit', { headers, body }),
      )
      if (action?.url) await approve(action.url)
    }
    return checkout.id
  }

  /** Approves at the bank's page and comes back, as the payer's browser does. */
  async function approve(url: string): Promise<void> {
    const answer = await client.call(new URL(url).pathname, {
      method: 'POST',
      raw: 'choice=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await client.call(new URL(answer.headers.get('location') ?? '').pathname)
  }

  /** A customer who pays every month with a saved card, and one whose charge is due later. */
  async function subscribe(): Promise<{ charge: string; contract: string }> {
    const studio = { company: 'Studio Haas GmbH', email: 'buchhaltung@haas.example' }
    const { account: customer } = await send('/accounts', {
      account: { crm_key: 'studio-haas', tags: 'wholesale', ...studio },
    })
    const take = async (payment: object) =>
      (await send('/payments', { payment: { currency: 'EUR', account: customer.id, ...payment } }))[
        'payment'
      ]
    const recurring = { frequency: 'MONTH', count: 12 }
    const payment_method = { token: await token(CARDS.approve), save: true }
    const rent = { amount: '350.00', description: 'Kiln rental', recurring, payment_method }
    const first = await take(rent)
    pass(HOUR)
    const due = '2034-01-31T09:00:00Z'
    await take({
      amount: '96.00',
      description: 'Clay, 40 kg',
      due,
      payment_method: first.payment_method,
    })
    return { charge: first.charge, contract: first.contract }
  }

  /** Payments by API: authorized, captured in part, voided, of unknown outcome. */
  async function orders(): Promise<void> {
    const order = async (number: string, payment: object) =>
      (
        await send('/payments', {
          payment: {
            currency: 'EUR',
            source: 'ECOMMERCE',
            payment_method: { token: await token(number) },
            ...payment,
          },
        })
      )['payment'].id as string
    const auth = (amount: string, alt_key: string) =>
      order(CARDS.mastercard, { action: 'AUTH', amount, alt_key })
    await send(`/payments/${await auth('420.00', 'order-1038')}/capture`, {
      capture: { amount: '180.00', description: 'First parcel' },
    })
    pass(9)
    await send(`/payments/${await auth('75.00', 'order-1039')}/void`, {})
    pass(14)
    await order(CARDS.pendingSuccess, { amount: '62.00', alt_key: 'order-1040' })
    pass(21)
    await order(CARDS.noAnswerTaken, { amount: '88.00', alt_key: 'order-1041' })
    pass(3)
  }

  /** A poster that two people have paid. */
  async function deepLink(): Promise<string> {
    const options = { name: 'Spring fair, donation', amount_presets: ['10.00', '25.00', '50.00'] }
    const deep_link = { action: 'PAY', slug: `fair-${randomUUID().slice(0, 8)}`, options }
    const { deep_link: poster } = await send('/deep_links', { deep_link })
    for (const amount of ['10.00', '25.00']) {
      await payAt(new URL(poster.url).pathname, [CARDS.approve], 'en', { amount })
    }
    return poster.id
  }
}

/** The settings of the shop: a branding with words of its own, and whom the money belongs to. */
async function furnish(send: (path: string, body: unknown, method?: string) => Promise<Json>) {
  const brandings = [{ key: 'kids', name: 'Atelier Nord Kids', channels: ['kids'] }]
  await send('', { instance: { name: 'Atelier Nord', timezone: 'Europe/Paris', brandings } }, 'PUT')
  const strings = [
    { id: 'checkout.pay', text: 'Book for {amount}' },
    { id: 'checkout.pay', language: 'fr', branding: 'kids', text: 'Réserver pour {amount}' },
  ]
  for (const string of strings) await send('/strings', { strings: [string] })
  const legal_entity = { name: 'Nord', legal_name: 'Atelier Nord SAS', country: 'FR' }
  const { legal_entity: entity } = await send('/legal_entities', { legal_entity })
  const when = { currency: ['EUR'], country: ['FR', 'BE'] }
  await send('/legal_entity_routes', { legal_entity_route: { legal_entity: entity.id, when } })
}

// oxlint-disable-next-line typescript/no-explicit-any -- the document has checked it
type Json = Record<string, any>

function expectOk({ status, text, json }: ApiResponse): Json {
  if (status >= 400) throw new Error(`${status}: ${text}`)
  return json ?? {}
}
