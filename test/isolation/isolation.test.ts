import { afterEach, describe, expect, it } from 'vitest'
import { type ApiResponse, type Call, startTestApp } from '../app.ts'
import { MAIL_SETTINGS } from '../mail-settings.ts'
import { type Aim, comparable, expectAlike } from './answers.ts'
import { MERCHANT_AIMS } from './merchant-aims.ts'
import { payerToken } from './names.ts'
import { readOperations } from './operations.ts'
import { PAYER_AIMS } from './payer-aims.ts'
import { PUBLIC_AIMS } from './public-aims.ts'
import { FREE_COLUMNS, columnsWith } from './rows.ts'
import { SECRET, createTenants } from './two-tenants.ts'

/**
 * No merchant can read or change another's data. Every request is sent by every client for the records
 * of one merchant and for records that do not exist; the responses must be byte for byte the same.
 */

/** One test sends a hundred requests. */
const SLOW = { timeout: 30_000 }

// All requests come from one address.
const app = await startTestApp({ PAYER_RATE: '0', ...MAIL_SETTINGS })
const tenants = await createTenants(app)
const { target, absent, intruders, leaks } = tenants
const untouched = await tenants.rows()

/** What is called without a merchant's credentials. */
const OPEN_AIMS = { ...PAYER_AIMS, ...PUBLIC_AIMS }

const operations = await readOperations(app)
const namesOf = (forMerchants: boolean) =>
  operations.filter((each) => each.forMerchants === forMerchants).map(({ name }) => name)
const [merchants, payers] = [namesOf(true), namesOf(false)]

/** How an operation is aimed. Throws for one without an entry. */
function aimsOf<Aims>(entries: Record<string, Aims>, operation: string): Aims {
  const aims = entries[operation]
  if (!aims) throw new Error(`${operation} has no entry`)
  return aims
}

/** The first request of an operation, which shows who can reach a record. */
const firstAim = (operation: string) =>
  aimsOf(MERCHANT_AIMS, operation)(target.names, target.names)[0] as Aim

/** Expects the same response about the target's names and about names that do not exist. */
async function expectSame(
  send: (aim: Aim) => Promise<ApiResponse>,
  as: string,
  [aim, blank]: [Aim, Aim],
): Promise<void> {
  const [answer, unknown] = [await send(aim), await send(blank)]
  const what = `${as}: ${JSON.stringify(aim)}`
  const expected = aim.keysOnly && as.includes('token') ? 403 : aim.status
  expect(unknown.status, `${what}: ${unknown.text}`).toBe(expected)
  expect(leaks(answer, aim), what).toEqual([])
  expectAlike(comparable(answer, aim, target.names), comparable(unknown, blank, absent), what)
}

function pairs(aims: readonly Aim[], blanks: readonly Aim[]): [Aim, Aim][] {
  return aims.map((aim, at) => [aim, blanks[at] as Aim])
}

describe('the matrix', () => {
  it('has an entry for every operation of the document, and for no other', () => {
    const entries = [...Object.keys(MERCHANT_AIMS), ...Object.keys(OPEN_AIMS)]
    expect(
      [...merchants, ...payers].filter((name) => !entries.includes(name)),
      'say in test/isolation how these are aimed at the records of another merchant',
    ).toEqual([])
    expect(entries.toSorted()).toEqual([...merchants, ...payers].toSorted())
  })

  it.each(tenants.census.ofInstances)('is about a merchant with a row in %s', (table) => {
    expect(untouched[table], 'give tenants one in test/isolation/tenant.ts').not.toEqual([])
  })

  it('is about a merchant who has left a mark in every text that can be written', () => {
    expect(columnsWith(SECRET, untouched)).toEqual(FREE_COLUMNS)
  })

  it('has an owner for the rows of every table', () => {
    expect(tenants.census.unassigned, 'say it in test/isolation/rows.ts').toEqual([])
  })

  it.each(merchants)('sends requests of %s', (operation) => {
    const [method, path = ''] = operation.split(' ')
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
    for (const aim of MERCHANT_AIMS[operation]?.(target.names, absent) ?? []) {
      const verb = aim.method ?? (aim.body === undefined ? 'GET' : 'POST')
      expect([verb, aim.path]).toEqual([method, expect.stringMatching(pattern)])
    }
  })
})

describe('the records of another merchant', SLOW, () => {
  afterEach(async () => expect(await tenants.rows()).toEqual(untouched))

  it.each(merchants)('%s', async (operation) => {
    for (const { as, names, call } of intruders) {
      const aims = aimsOf(MERCHANT_AIMS, operation)
      for (const pair of pairs(aims(target.names, names), aims(absent, names))) {
        await expectSame((aim) => call(aim.path, aim), as, pair)
      }
    }
  })

  it.each(payers)('%s', async (operation) => {
    for (const { as, names } of intruders) {
      const aims = aimsOf(OPEN_AIMS, operation)
      const [theirs, absentAims] = [
        await aims(target.names, names, app),
        await aims(absent, names, app),
      ]
      for (const pair of pairs(theirs, absentAims)) {
        await expectSame((aim) => app.call(aim.path, aim), `a payer beside ${as}`, pair)
      }
    }
  })
})

describe('credentials of another merchant', SLOW, () => {
  afterEach(async () => expect(await tenants.rows()).toEqual(untouched))

  const [byKey, byToken] = intruders
  if (!byKey || !byToken) throw new Error('no intruder was created')
  const basicHeader = { authorization: tenants.keyHeader }
  const tokenHeader = { authorization: tenants.tokenHeader }
  const at = ({ instanceKey }: { instanceKey: string }) => `/c/api/instances/${instanceKey}`
  const send = (prefix: string, aim: Aim, headers: Call['headers']) =>
    app.call(`${prefix}${aim.path}`, { ...aim, headers: { ...aim.headers, ...headers } })

  it.each(merchants)('a key opens no %s of another instance', async (operation) => {
    const aim = firstAim(operation)
    const [answer, unknown] = [
      await send(at(target.names), aim, basicHeader),
      await send(at(absent), aim, basicHeader),
    ]
    expect([unknown.status, unknown.text]).toEqual([
      404,
      expect.stringContaining('Instance not found'),
    ])
    expect(leaks(answer, aim)).toEqual([])
    expectAlike(comparable(answer, aim, target.names), comparable(unknown, aim, absent), operation)
  })

  it.each(merchants)('neither a token nor a payer’s session opens %s there', async (operation) => {
    const aim = firstAim(operation)
    const sessions = [byKey.names, target.names].map((names) => ({
      authorization: `Bearer ${payerToken(names)}`,
    }))
    for (const prefix of [at(target.names), at(absent), at(byToken.names), '/c/api']) {
      for (const headers of [{}, ...sessions, ...(prefix === '/c/api' ? [] : [tokenHeader])]) {
        const response = await send(prefix, aim, headers)
        expect([response.status, response.text]).toEqual([
          401,
          JSON.stringify({ code: 'UNAUTHORIZED', message: 'Unauthorized' }),
        ])
      }
    }
  })

  it('open no payer’s session', async () => {
    for (const headers of [basicHeader, tokenHeader]) {
      for (const call of [{}, { method: 'POST', body: {} }]) {
        const path = `/pay/checkouts/current${call.method ? '/submit' : ''}`
        expect((await app.call(path, { ...call, headers })).status).toBe(401)
      }
    }
  })

  it('a payer’s session reads and pays nothing but itself', async () => {
    for (const { names } of [target, ...intruders]) {
      const headers = { authorization: `Bearer ${payerToken(names)}` }
      const { json } = await app.call('/pay/checkouts/current', { headers })
      expect(json.checkout).toMatchObject({ id: names.openCheckout, payment_link: names.openLink })
    }
  })
})

/** Last, because the target acts now: its records change. */
describe('the owner', SLOW, () => {
  const { names, merchant } = target
  /** So that what one request ends was asked for by all others before. */
  const inOrder = (operations: readonly string[], ...methods: string[]) => {
    const place = (operation: string) => methods.indexOf(operation.split(' ')[0] ?? '')
    return operations.toSorted((a, b) => place(a) - place(b))
  }

  /** Expects another response to the owner than to one who asks for what does not exist. */
  const expectOther = async (
    send: (aim: Aim) => Promise<ApiResponse>,
    [aim, blank]: [Aim, Aim],
  ) => {
    if (aim.blind) return
    const [unknown, answer] = [await send(blank), await send(aim)]
    expect(comparable(answer, aim, names), JSON.stringify(aim)).not.toBe(
      comparable(unknown, blank, absent),
    )
  }

  it.each(inOrder(payers, 'GET', 'DELETE', 'POST'))(
    'is answered otherwise to each request of %s',
    async (operation) => {
      const aims = aimsOf(OPEN_AIMS, operation)
      const absentAims = await aims(absent, names, app)
      for (const pair of pairs(await aims(names, names, app), absentAims)) {
        await expectOther((aim) => app.call(aim.path, aim), pair)
      }
    },
  )

  it.each(inOrder(merchants, 'GET', 'PUT', 'POST', 'DELETE'))(
    'is answered otherwise to each request of %s',
    async (operation) => {
      const aims = aimsOf(MERCHANT_AIMS, operation)
      for (const pair of pairs(aims(names, names), aims(absent, names))) {
        await expectOther((aim) => merchant.api(aim.path, aim), pair)
      }
    },
  )
})
