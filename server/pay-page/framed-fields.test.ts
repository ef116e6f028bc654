import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { atEnd } from '../../test/at-end.ts'

const fake = await startStripeFake()
atEnd(() => fake.close())
const app = await startTestApp({
  ...stripeEnvironment(fake),
  STRIPE_JS_URL: 'https://js.stripe.com/dahlia/stripe.js',
})
const OPTIONS = { amount: '24.00', currency: 'EUR' }

const open = (id: string) => app.call(`/pay/${id}`)

function modelOf({ text }: { text: string }) {
  const [, model = ''] = /id="page-model">(.*?)<\/script>/.exec(text) ?? []
  return JSON.parse(model)
}

async function connected(settings: object = {}) {
  const merchant = await app.newMerchant()
  return { merchant, ...(await connectStripe(app, merchant, fake, settings)) }
}

const directives = (page: { headers: Headers }) =>
  new Map(
    (page.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((text): [string, string] => [text.split(' ')[0] ?? '', text]),
  )

describe('a page of an instance that has connected Stripe', () => {
  it('carries the key and the script, and allows what that script needs', async () => {
    const { merchant, id } = await connected({ account: 'acct_1Other' })
    const page = await open((await newLink(merchant, OPTIONS)).id)
    const model = modelOf(page)
    expect(model.processors).toEqual({
      [id]: {
        name: 'stripe',
        key: fake.publishableKey,
        account: 'acct_1Other',
        script: 'https://js.stripe.com/dahlia/stripe.js',
      },
    })
    expect(model.checkout.methods).toEqual([
      expect.objectContaining({ type: 'CARD', processor: id, fields: 'FRAMES' }),
    ])
    const policy = directives(page)
    expect(policy.get('script-src')).toMatch(
      /^script-src 'self' 'sha256-[^ ]+' https:\/\/js\.stripe\.com$/,
    )
    expect(policy.get('frame-src')).toBe(
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    )
    expect(policy.get('connect-src')).toBe(`connect-src 'self' ${fake.url}`)
    expect(policy.get('trusted-types')).toBe('trusted-types default')
    expect(policy.get('require-trusted-types-for')).toContain("'script'")
    expect(page.headers.get('permissions-policy')).toBe('payment=(self "https://js.stripe.com")')
    expect(page.text).toContain('<link rel="preconnect" href="https://js.stripe.com">')
    expect(page.text).toMatch(
      /id="field-number"[^>]*aria-busy="true"|aria-busy="true"[^>]*id="field-number"/,
    )
    expect(page.text).not.toContain(fake.secretKey)
  })

  it('carries nothing of it once it is paid, nor for methods without frames', async () => {
    const { merchant } = await connected()
    const { id } = await newLink(merchant, OPTIONS)
    const payer = await openPayerClient(app, id)
    const paid = await payer.submit({
      payment_method: { type: 'CARD', token: fake.card('4242424242424242') },
    })
    expect(paid.json.outcome).toBe('COMPLETED')
    const redirecting = await connected({ methods: ['IDEAL'] })
    const ideal = await newLink(redirecting.merchant, OPTIONS)
    for (const page of [await open(id), await open(ideal.id)]) {
      expect(modelOf(page).processors).toBeUndefined()
      expect(directives(page).get('trusted-types')).toBe("trusted-types 'none'")
      expect(page.headers.get('permissions-policy')).toBeNull()
      expect(page.text).not.toContain('stripe')
    }
  })
})

describe('a cached page', () => {
  it('does not outlive a connection, and those of other instances stay byte for byte', async () => {
    const merchant = await app.newMerchant()
    const [mine, other] = [await newLink(merchant, OPTIONS), await newLink(app.merchant, OPTIONS)]
    const before = { mine: await open(mine.id), other: await open(other.id) }
    const { id } = await connectStripe(app, merchant, fake)
    expect(Object.keys(modelOf(await open(mine.id)).processors)).toEqual([id])
    const after = await open(other.id)
    expect(after.text).toBe(before.other.text)
    expect([...after.headers].filter(([name]) => name.includes('policy'))).toEqual(
      [...before.other.headers].filter(([name]) => name.includes('policy')),
    )
    await setConnection(merchant, id, { publishable_key: 'pk_test_changed' })
    expect(modelOf(await open(mine.id)).processors[id].key).toBe('pk_test_changed')
    await setConnection(merchant, id, { status: 'DISABLED' })
    expect((await open(mine.id)).text).toBe(before.mine.text)
  })

  async function setConnection(
    { instance }: Merchant,
    id: string,
    change: { publishable_key?: string; status?: 'DISABLED' },
  ): Promise<void> {
    const { db, processors } = app.checkstand.deps
    await db
      .updateTable('processor_connections')
      .set((eb) => ({ ...change, v: eb('v', '+', 1) }))
      .where('id', '=', id)
      .execute()
    processors.invalidate({ id, instance_id: instance.id })
  }
})

describe('a return from the bank', () => {
  it('goes on without the parameters of Stripe, which are in no log', async () => {
    const { merchant } = await connected()
    const { id } = await newLink(merchant, OPTIONS)
    const payer = await openPayerClient(app, id)
    const submitted = await payer.submit({
      payment_method: { type: 'CARD', token: fake.card('4000002500003155') },
    })
    const { url, in_frame } = submitted.json.action
    expect(in_frame).toBe(true)
    const bank = await fetch(`${url}/approve`, { redirect: 'manual' })
    const back = new URL(bank.headers.get('location') ?? '')
    expect([...back.searchParams.keys()]).toContain('payment_intent_client_secret')
    const returned = await app.call(back.pathname + back.search)
    expect(returned.status).toBe(303)
    expect(returned.headers.get('location')).not.toMatch(/payment_intent|redirect_status/)
    expect((await readLink(merchant, id)).status).toBe('PAYMENT_SUCCESS')
    expect(app.logged()).not.toContain(back.searchParams.get('payment_intent_client_secret'))
  })
})

describe('the security code of a saved card', () => {
  async function savedCard(settings: object = {}) {
    const { merchant } = await connected(settings)
    const account = { email: 'ada@example.com' }
    const { id } = await newLink(merchant, { ...OPTIONS, account, save_card: true })
    const first = await openPayerClient(app, id)
    const paid = await first.submit({
      payment_method: { type: 'CARD', token: fake.card('4242424242424242') },
    })
    expect(paid.json.outcome, paid.text).toBe('COMPLETED')
    const { account: known } = await readLink(merchant, id)
    const next = await newLink(merchant, { ...OPTIONS, account: known })
    const payer = await openPayerClient(app, next.id)
    const [saved] = payer.checkout.saved_methods
    const submit = (more: object) => payer.submit({ payment_method: { id: saved.id, ...more } })
    return { saved, submit }
  }

  it('is a token of the processor, and digits are refused', async () => {
    const { saved, submit } = await savedCard()
    expect(saved).toMatchObject({ csc: 'TOKEN', processor: expect.stringMatching(/^pr_/) })
    for (const [more, message] of [
      [{}, 'payment_method.csc_token is required'],
      [{ csc: '123' }, 'payment_method.csc is not taken by this payment method'],
      [{ csc_token: 'a token' }, 'payment_method.csc_token must be a token of the processor'],
    ] as const) {
      const refused = await submit(more)
      expect([refused.status, refused.json.error.message]).toEqual([400, message])
    }
    fake.account.cscTokens.set('cvctok_right', '123')
    expect((await submit({ csc_token: 'cvctok_right' })).json.outcome).toBe('COMPLETED')
    const confirmed = fake.requests.findLast(({ path }) => path.endsWith('/confirm'))
    expect(decodeURIComponent(confirmed?.body ?? '')).toContain('[cvc_token]=cvctok_right')
    expect(app.logged()).not.toContain('cvctok_right')
  })

  it('is not asked for where the connection does not want it', async () => {
    const { saved, submit } = await savedCard({ saved_csc: 'NONE' })
    expect(saved.csc).toBe('NONE')
    const refused = await submit({ csc_token: 'cvctok_any' })
    expect(refused.json.error.message).toBe(
      'payment_method.csc_token is not taken by this payment method',
    )
    expect((await submit({})).json.outcome).toBe('COMPLETED')
  })

  it('is refused as a token where the processor takes digits, and for a new card', async () => {
    const { id } = await newLink(app.merchant, OPTIONS)
    const payer = await openPayerClient(app, id)
    const refused = await payer.submit({
      payment_method: { type: 'CARD', token: 'tok_any', csc_token: 'cvctok_any' },
    })
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      'payment_method.csc_token requires a saved payment method',
    ])
  })
})
