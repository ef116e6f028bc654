import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asciiSpellings } from '../../shared/rules/ascii-spellings.ts'
import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import { createInstance } from '../../server/admin/create-instance.ts'
import { createClient } from '../../server/oauth/clients.ts'
import { createUser } from '../../server/users/create.ts'
import { type ApiResponse, type Call, startTestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { newDeepLink } from '../deep-links.ts'
import { isDeep } from '../depth.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import { newTaskLink } from '../task-link.ts'
import { type BodyRoute, bodyRoutes, partsOf, replaced, textsIn } from './kept-texts.ts'
import { SAMPLES } from './request-samples.ts'

const app = await startTestApp()
const { deps, mounts } = app.checkstand
const link = await newLink(app.merchant)
const payer = await openPayerClient(app, link.id)
const { id: taskLink } = await newTaskLink(app, app.merchant)
const { json: opened } = await app.call(`/go/${taskLink}/sessions`, { body: {} })
const taskToken = opened.token as string
const deepLink = await newDeepLink(app.merchant)
const ROUTES = bodyRoutes(mounts)

/** Sends a body to a route; records in its path are not there, but its rules come first. */
function send({ route, name }: BodyRoute, body: unknown, call: Call = {}): Promise<ApiResponse> {
  const path = route.path
    .replace('/go/:id/sessions', `/go/${taskLink}/sessions`)
    .replace('/pay/:id', `/pay/${link.id}`)
    .replace('/go/:id', new URL(deepLink.url).pathname)
    .replace('/payment_links/:id', `/payment_links/${link.id}`)
    .replace(':string_id', 'methods.title')
    .replace(':key', app.merchant.instance.key)
    .replace(/:\w+/, 'x')
  const sent = { ...call, method: route.method.toUpperCase(), body }
  if (name.includes(' /go/sessions/')) {
    const headers = { ...call.headers, authorization: `Bearer ${taskToken}` }
    return app.call(path, { ...sent, headers })
  }
  if (name.includes(' /go/:id/sessions')) return app.call(path, sent)
  if (!/ \/(pay|go)\//.test(name)) return app.merchant.api(path, sent)
  const headers = { ...call.headers, authorization: `Bearer ${payer.token}` }
  return app.call(path, { ...sent, headers })
}

const messageOf = ({ json }: ApiResponse): string => json?.error?.message ?? json?.message ?? ''

describe.each(ROUTES.map((each) => [each.name, each] as const))('%s', (name, each) => {
  const samples = SAMPLES[name] ?? []
  const parts = partsOf(each.route.body)

  it('has a sample with every text that it takes, and each sample is a good request', () => {
    for (const sample of samples) {
      const { error } = each.route.body.safeParse(sample)
      expect(error, JSON.stringify(sample)).toBeUndefined()
    }
    const sampled = new Set(samples.flatMap((sample) => textsIn(sample)))
    const texts = parts.filter(({ kind }) => kind === 'TEXT').map(({ path }) => path)
    expect(samples).not.toHaveLength(0)
    for (const path of texts) {
      expect([...sampled], path).toContain(path.replaceAll('*', 'note'))
    }
  })

  it('limits the length of every text and name, and of every list', () => {
    const open = parts.filter(({ isBounded, kind }) => !isBounded && kind !== 'ANYTHING')
    expect(open.map(({ path, kind }) => `${kind} ${path}`)).toEqual([])
  })

  it('names the text that is too long', async () => {
    for (const sample of samples) {
      for (const path of textsIn(sample)) {
        const response = await send(each, replaced(sample, path, 'x'.repeat(30_000)))
        expect([response.status, path]).toEqual([400, path])
        expect(messageOf(response).startsWith(`${memberOf(path)} `), messageOf(response)).toBe(true)
        expect(response.text.length).toBeLessThan(500)
      }
    }
  })

  it('rejects a card number in every text, and names the text', async () => {
    for (const sample of samples) {
      for (const path of textsIn(sample)) {
        for (const spelling of spellingsFor()) {
          const body = replaced(sample, path, spelling)
          const response = await send(each, body, { headers: { 'idempotency-key': randomUUID() } })
          expect([response.status, path, spelling], response.text).toEqual([400, path, spelling])
          expect(messageOf(response).startsWith(`${memberOf(path)} `), messageOf(response)).toBe(
            true,
          )
          expect(containsCardNumber(response.text)).toBe(false)
          if (
            spelling === CANARY &&
            each.route.body.safeParse(replaced(sample, path, HARMLESS)).success
          ) {
            expect(messageOf(response)).toBe(`${memberOf(path)} ${reasonFor(path)}`)
          }
        }
      }
    }
  })
})

/** What an error calls a part: `state` is one member, whatever is in it. */
function memberOf(path: string): string {
  return path.replace(/\.state\..*$/, '.state')
}

/** What is said of a card number in a text that takes any other. */
const reasonFor = (path: string) =>
  /[._]token$/.test(path)
    ? 'must be a token, not a card number'
    : 'must not contain a card number (prefix other numbers with a letter)'

const CANARY = '5555555555554444'
/** As long as a card number, and none. */
const HARMLESS = 'o555555555554444'
const GROUPS = ['5555', '5555', '5555', '4444']
const FULL_WIDTH = String.fromCodePoint(...Array.from(CANARY, (digit) => 0xff10 + Number(digit)))
const SPELLINGS = [
  CANARY,
  ...[' ', '-', '.', '/', '_', '\u00a0', '\u200b', '%20'].map((gap) => GROUPS.join(gap)),
  FULL_WIDTH,
  `https://shop.example/?card=${CANARY}`,
  `https://shop.example/${Array.from(CANARY, (digit) => `%3${digit}`).join('')}`,
  `ada@shop.example ${CANARY}`,
]

let turns = 0
/** All spellings in `npm run test:deep`; in `npm test` the plain one and another by turns. */
function spellingsFor(): readonly string[] {
  if (isDeep) return SPELLINGS
  turns += 1
  return [CANARY, SPELLINGS[1 + (turns % (SPELLINGS.length - 1))] as string]
}

describe('a card number', () => {
  it('that is rejected is counted, and logged with its route', async () => {
    const count = () => deps.security.counts().get('card_number_refused') ?? 0
    const before = count()
    await app.merchant.api('/accounts', { body: { account: { crm_key: CANARY } } })
    await payer.submit({ payment_method: { token: CANARY } })
    expect(count()).toBe(before + 2)
    app.pass(60_000)
    await app.merchant.api('/accounts', { body: { account: { crm_key: CANARY } } })
    const line = app
      .logged()
      .trim()
      .split('\n')
      .findLast((text) => text.includes('refused"'))
    expect(JSON.parse(line ?? '')).toMatchObject({
      event: 'card_number_refused',
      instance: app.merchant.instance.id,
      method: 'POST',
    })
  })

  it('is refused as an Idempotency-Key', async () => {
    for (const key of [CANARY, GROUPS.join(' '), `"${GROUPS.join('-')}"`]) {
      const response = await app.merchant.api('/accounts', {
        body: { account: { crm_key: 'a' } },
        headers: { 'idempotency-key': key },
      })
      expect(response.status).toBe(400)
      expect(messageOf(response)).toMatch(/^Idempotency-Key must not contain a card number/)
    }
  })

  it('is refused as a name of metadata, of state and of a member, and is not repeated', async () => {
    for (const spelling of SPELLINGS) {
      for (const [path, body] of [
        ['/accounts', { account: { crm_key: 'a', metadata: { [spelling]: 'x' } } }],
        ['/accounts', { account: { crm_key: 'a', [spelling]: 'x' } }],
        ['/payment_links', { payment_link: { state: { a: { [spelling]: 1 } } } }],
      ] as const) {
        const response = await app.merchant.api(path, { body })
        expect(response.status, spelling).toBe(400)
        expect(containsCardNumber(response.text), response.text).toBe(false)
      }
    }
    const unknown = { payment_link: { [CANARY]: 1, options: {} } }
    const { text } = await app.merchant.api('/payment_links', { body: unknown })
    expect(text).toContain('Unknown field payment_link.[card number]')
  })

  it('is seen in no order number of thirteen digits, and in none with a letter before it', async () => {
    for (const alt_key of [
      '5555555555554',
      '1893456000000',
      '4006381333931',
      'o4111111111111111',
    ]) {
      await newLink(app.merchant, { alt_key })
    }
  })

  it('is not repeated in the refusal of a query, a path or an event type', async () => {
    for (const path of [
      `/accounts?criteria=${CANARY}`,
      `/accounts?criteria=${CANARY}=1`,
      `/accounts?order=${CANARY}`,
      `/accounts?expand=${CANARY}`,
      `/accounts?limit=${CANARY}`,
      `/strings?language=${CANARY}`,
      `/accounts?criteria=created=${GROUPS.join('%20')}`,
    ]) {
      const response = await app.merchant.api(path)
      expect(response.status, path).toBe(400)
      expect(containsCardNumber(response.text), response.text).toBe(false)
    }
    const string = await app.merchant.api(`/strings/${CANARY}`, {
      method: 'PUT',
      body: { string: { text: 'x' } },
    })
    expect(string.status).toBe(400)
    expect(containsCardNumber(string.text), string.text).toBe(false)
  })

  it('is kept of no program’s name, of no form and of no report', async () => {
    const headers = { 'user-agent': `shop/${CANARY}`, 'x-card': CANARY, referer: CANARY }
    const created = await app.merchant.api('/accounts', {
      body: { account: { crm_key: 'a' } },
      headers,
    })
    const read = await app.merchant.api(
      `/accounts/${created.json.account.id}?expand=created_session`,
    )
    expect(read.json.account.created_session.user_agent).toBe(`shop/${'*'.repeat(16)}`)
    const form = 'application/x-www-form-urlencoded'
    const fields = ['client_id', 'client_secret', 'code', 'redirect_url', 'token', 'refresh_token']
    const raw = fields.map((name) => `${name}=${CANARY}`).join('&')
    for (const path of ['/token', '/revoke', '/sign-in', '/sign-out', '/sign-in/first/x']) {
      await app.call(path, { raw: `${raw}&email=${CANARY}`, headers: { 'content-type': form } })
    }
    await app.call(`/authorize?${raw}&state=${CANARY}&scope=${CANARY}`, { headers })
    await app.call(`/c/api/instances/${CANARY}/accounts`, {
      headers: { authorization: `Basic ${btoa(`${CANARY}:${CANARY}`)}` },
    })
    await app.call(`/pay/${CANARY}?ck=${CANARY}&lang=${CANARY}`, { headers })
    await app.call('/csp', {
      raw: JSON.stringify({
        'csp-report': {
          'effective-directive': CANARY,
          'violated-directive': `img-src ${CANARY}`,
          'blocked-uri': `https://${CANARY}.example`,
          'source-file': CANARY,
        },
      }),
    })
  })

  it('is refused from the operator, in every text that a command stores', async () => {
    const instance = { merchant: 'M', key: 'k', name: 'N' }
    const client = { name: 'C', redirectUrls: ['https://platform.example/back'] }
    const user = { merchant: undefined, email: 'a@b.example', password: 'correct horse' }
    for (const wrong of [CANARY, GROUPS.join('-'), GROUPS.join('_')]) {
      const refused = [
        createInstance(deps, { ...instance, merchant: wrong }),
        createInstance(deps, { ...instance, key: wrong }),
        createInstance(deps, { ...instance, name: wrong }),
        createInstance(deps, {
          ...instance,
          user: { email: `${wrong}@b.example`, password: 'correct horse' },
        }),
        createClient(deps, { ...client, name: wrong }),
        createClient(deps, { ...client, redirectUrls: [`https://platform.example/${wrong}`] }),
        createUser(deps, { ...user, email: `${wrong}@b.example` }),
      ]
      for (const outcome of await Promise.allSettled(refused)) {
        expect(outcome.status, wrong).toBe('rejected')
        if (outcome.status === 'rejected') {
          expect(containsCardNumber((outcome.reason as Error).message)).toBe(false)
          expect((outcome.reason as Error).message).toContain('card number')
        }
      }
    }
  })

  it('is nowhere in the database or the log after all this, nor its plain digest', async () => {
    const { id } = await newLink(app.merchant, { amount: '1.00', save_card: true })
    const buyer = await openPayerClient(app, id)
    await buyer.payByCard(CARDS.decline)
    await buyer.payByCard(CANARY)
    await app.call('/sandbox/tokens', { body: { card: { number: CANARY, csc: 'x' } } })
    const kept = await everyRow()
    expect(kept).toContain('shop/')
    expect(kept).toContain('"4444"')
    expect(kept).not.toMatch(/"(csc|cvc|cvv|security_code)"/)
    const forms = [CARDS.decline, ...SPELLINGS, ...SPELLINGS.flatMap(asciiSpellings)]
    const digests = forms.flatMap((form) =>
      (['hex', 'base64', 'base64url'] as const).map((as) =>
        createHash('sha256').update(form).digest(as),
      ),
    )
    for (const form of [...forms, ...digests]) {
      expect(kept.includes(form), form).toBe(false)
      expect(app.logged().includes(form), form).toBe(false)
    }
  })
})

/** All that the database holds, as JSON. */
async function everyRow(): Promise<string> {
  const tables = await deps.db.introspection.getTables()
  expect(tables.length).toBeGreaterThan(20)
  const rows = await Promise.all(
    tables.map(({ name }) =>
      deps.db
        .selectFrom(name as 'checkouts')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify(rows)
}
