import { errorSummary } from '../../test/payments-client.ts'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BASE, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  newLink,
  openPayerClient,
  type PayerClient,
  openNewLink,
  completeChallenge,
} from '../../test/payer-client.ts'

const app = await startTestApp()
const SHOPS = ['https://shop.example', 'https://*.stores.example']
const SUCCESS = { success_url: 'https://shop.example/ok', skip_receipt: true }

async function allow(allowed_origins: string[]): Promise<void> {
  const body = { instance: { allowed_origins } }
  const { status } = await app.merchant.api('/instances/default', { method: 'PUT', body })
  expect(status).toBe(200)
}

async function ancestors(path: string): Promise<string | undefined> {
  const { headers } = await app.call(path)
  const policy = headers.get('content-security-policy') ?? ''
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1]
}

/** The page model in the document. */
async function pageModel(path: string, headers: Record<string, string> = {}) {
  const { text } = await app.call(path, { headers })
  const json = /<script type="application\/json" id="page-model">([^<]*)</.exec(text)?.[1] ?? ''
  return JSON.parse(json)
}

/** Pays with a card that requires a challenge, approves it and returns the return URL. */
async function approved(payer: PayerClient): Promise<string> {
  const { json } = await payer.payByCard(CARDS.challenge)
  return new URL(await completeChallenge(app, json.action.url, 'approve')).pathname
}

describe('frame-ancestors of the payment page', () => {
  it('allows no origin by default', async () => {
    await allow([])
    const { id } = await newLink(app.merchant)
    expect(await ancestors(`/pay/${id}`)).toBe("'none'")
  })

  it('allows the merchant’s origins in every state of the page', async () => {
    await allow(SHOPS)
    const { id } = await newLink(app.merchant)
    expect(await ancestors(`/pay/${id}`)).toBe(SHOPS.join(' '))
    await (await openPayerClient(app, id)).payByCard(CARDS.approve)
    expect(await ancestors(`/pay/${id}`)).toBe(SHOPS.join(' '))
    const gone = await newLink(app.merchant)
    await app.merchant.api(`/payment_links/${gone.id}`, { method: 'DELETE' })
    expect(await ancestors(`/pay/${gone.id}`)).toBe(SHOPS.join(' '))
    expect((await pageModel(`/pay/${id}`)).embed_origins).toEqual(SHOPS)
  })

  it('allows them on a deep link, to whose page its id leads', async () => {
    await allow(SHOPS)
    const options = { amount: '5.00' }
    const body = { deep_link: { action: 'PAY', options } }
    const { id } = (await app.merchant.api('/deep_links', { body })).json.deep_link
    const { status, headers } = await app.call(`/pay/${id}?theme=dark&lang=fr`)
    const target = new URL(headers.get('location') ?? '', `${BASE}/pay/${id}`)
    expect([status, target.href]).toEqual([303, `${BASE}/go/${id}?theme=dark&lang=fr`])
    expect(await ancestors(`${target.pathname}${target.search}`)).toBe(SHOPS.join(' '))
  })

  it('allows no origin for an unknown link and for other pages', async () => {
    await allow(SHOPS)
    expect(await ancestors('/pay/pl_unknown')).toBe("'none'")
    expect(await ancestors('/pay/checkouts/unknown/return')).toBe("'none'")
    expect(await ancestors('/openapi.json')).toBe("'none'")
    const other = await app.newMerchant()
    const { id } = await newLink(other)
    expect(await ancestors(`/pay/${id}`)).toBe("'none'")
  })
})

describe('the embedded_origin of a session', () => {
  const open = async (embedded_origin?: string) => {
    const { id } = await newLink(app.merchant)
    return app.call(`/pay/${id}/checkouts`, { body: embedded_origin ? { embedded_origin } : {} })
  }

  it('is returned by the API', async () => {
    await allow(SHOPS)
    for (const origin of ['https://shop.example', 'https://a.stores.example', undefined]) {
      const { json } = await open(origin)
      const { json: read } = await app.merchant.api(`/checkouts/${json.checkout.id}`)
      expect(read.checkout.embedded_origin).toBe(origin ?? null)
    }
  })

  it.each(['https://evil.example', 'https://stores.example', 'http://shop.example'])(
    'is refused when it is %s',
    async (origin) => {
      await allow(SHOPS)
      const message = 'embedded_origin is not an allowed origin of this instance'
      expect(errorSummary(await open(origin))).toEqual([400, 'INVALID_REQUEST', message])
    },
  )
})

describe('a framed page', () => {
  it('preloads the chunk that talks to the embedding page, and other pages do not', async () => {
    const { id } = await newLink(app.merchant)
    const preloads = async (headers: Record<string, string>) =>
      /modulepreload" href="\/assets\/bridge-/.test(
        (await app.call(`/pay/${id}`, { headers })).text,
      )
    expect(await preloads({ 'sec-fetch-dest': 'iframe' })).toBe(true)
    expect(await preloads({ 'sec-fetch-dest': 'document' })).toBe(false)
    expect(await preloads({})).toBe(false)
  })

  it('has the language and branding of its URL', async () => {
    const brandings = [{ key: 'kids', name: 'Corner Kids' }]
    await app.merchant.api('/instances/default', {
      method: 'PUT',
      body: { instance: { brandings } },
    })
    const { id } = await newLink(app.merchant)
    const requests = await pageModel(`/pay/${id}?language=fr&branding=kids`)
    expect(requests.checkout).toMatchObject({
      language: 'fr',
      branding: 'kids',
      merchant: 'Corner Kids',
    })
    const unknown = await pageModel(`/pay/${id}?branding=nobody`)
    expect(unknown.checkout).toMatchObject({ branding: null, merchant: 'Corner Shop' })
  })
})

describe('a bank’s page of an embedded checkout', () => {
  it('may be framed only where the processor declares it', async () => {
    const { payer: byCard } = await openNewLink(app)
    const requests = (await byCard.payByCard(CARDS.challenge)).json
    expect(requests.action.in_frame).toBe(true)
    expect((await byCard.current()).json.checkout.result.action).toEqual(requests.action)
    const { payer: byBank } = await openNewLink(app)
    const payment_method = { type: 'BANK_TRANSFER', processor: 'sandbox' }
    expect((await byBank.submit({ payment_method })).json.action.in_frame).toBeUndefined()
  })

  it('returns a framed payer to the framed page, not to the merchant’s site', async () => {
    const { link, payer } = await openNewLink(app, { amount: '9.00', ...SUCCESS })
    const back = await approved(payer)
    const framed = { 'sec-fetch-dest': 'iframe' }
    const inFrame = await app.call(back, { headers: framed })
    const here = `${link.url}?ck=${back.split('/')[3]}`
    expect([inFrame.status, inFrame.headers.get('location')]).toEqual([303, here])
    const { checkout } = await pageModel(here.slice(BASE.length), framed)
    const paid = (await app.merchant.api(`/payment_links/${link.id}`)).json.payment_link
    expect(checkout.result).toMatchObject({
      outcome: 'COMPLETED',
      skip_receipt: true,
      redirect: expect.stringContaining('https://shop.example/ok?payment_link='),
      transaction: paid.transaction,
      account: paid.account,
    })
  })

  it('returns a payer in the top window to the merchant’s site', async () => {
    const { payer } = await openNewLink(app, { amount: '9.00', ...SUCCESS })
    const back = await approved(payer)
    const top = await app.call(back, { headers: { 'sec-fetch-dest': 'document' } })
    expect(top.headers.get('location')).toContain('https://shop.example/ok?payment_link=')
  })

  it('returns ids to the payer only, not to other visitors of a paid link', async () => {
    const { id } = await newLink(app.merchant)
    const payer = await openPayerClient(app, id)
    await payer.payByCard(CARDS.approve)
    const own = (await payer.current()).json.checkout.result
    expect(own.transaction).toMatch(/^\w+_/)
    const { checkout } = await pageModel(`/pay/${id}`)
    expect(checkout.result).toMatchObject({ transaction: null, account: null })
  })
})

describe('the color scheme of a framed page', () => {
  const css = async (path: string, headers: Record<string, string>) => {
    const { text, headers: answered } = await app.call(path, { headers })
    const style = /<style>([^<]*)</.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answered.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    return style
  }
  const framed = { 'sec-fetch-dest': 'iframe' }

  it.each([
    ['normal', 'light', '(prefers-color-scheme:dark) and (max-width: -1px)'],
    ['dark', 'dark', '(prefers-color-scheme:dark), (min-width: 0px)'],
    ['light dark', 'light dark', '(prefers-color-scheme:dark){'],
  ])('follow a page that declares %j from the first view on', async (theme, scheme, condition) => {
    const { id } = await newLink(app.merchant)
    const style = await css(`/pay/${id}?theme=${encodeURIComponent(theme)}`, framed)
    expect(style).toContain(`:where(html):root{color-scheme:${scheme}}`)
    expect(style).toContain(condition)
  })

  it('follows the payer’s preference on a page that is not framed', async () => {
    const { id } = await newLink(app.merchant)
    const style = await css(`/pay/${id}?theme=dark`, { 'sec-fetch-dest': 'document' })
    expect(style).not.toContain(':where(html)')
    expect(style).toContain('(prefers-color-scheme:dark){')
  })

  it('cannot inject content into the page', async () => {
    const { id } = await newLink(app.merchant)
    const style = await css(`/pay/${id}?theme=${encodeURIComponent('}</style><b>dark')}`, framed)
    expect(style).not.toContain('<b>')
  })
})
