import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import type { Sandbox } from '../processors/sandbox/index.ts'
import { setUpMethod } from './set-up.ts'
import { syncDueSetups } from './sync.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { gateway } = deps.processors.builtIn.get('sandbox') as Sandbox
const MINUTE_MS = 60_000

async function newPayer() {
  const merchant = await app.newMerchant()
  const account = { crm_key: 'ada' }
  const { id } = (await merchant.api('/accounts', { body: { account } })).json.account
  const sessionId = randomUUID()

  async function setUp(number: string, given: { attemptKey?: string; requestHash?: string } = {}) {
    const card = { number, exp_month: 12, exp_year: 2034, csc: '123' }
    return setUpMethod(deps, {
      instanceId: merchant.instance.id,
      accountId: id,
      sessionId,
      attemptKey: randomUUID(),
      requestHash: 'a',
      page: '/go/tea',
      processor: 'sandbox',
      method: { kind: 'NEW', type: 'CARD', token: await gateway.createToken({ card }) },
      consent: { text: 'Save my card.', language: 'en' },
      client: {},
      description: 'Tea club',
      ...given,
    })
  }
  const read = async (path: string) => (await merchant.api(path)).json
  return {
    merchant,
    account: id as string,
    setUp,
    methods: async () => (await read('/payment_methods')).payment_methods,
    events: async () => (await read('/events')).events.map(({ type }: { type: string }) => type),
    read,
    forgotten: async () => {
      const rows = await deps.db.selectFrom('tokens_to_forget').selectAll().execute()
      return rows.filter(({ instance_id }) => instance_id === merchant.instance.id)
    },
  }
}

const later = async (ms: number) => {
  app.pass(ms)
  await syncDueSetups(deps)
}
const state = async (id: string) =>
  deps.db.selectFrom('method_setups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

it('saves a method with the consent, and makes no payment', async () => {
  const payer = await newPayer()
  const setup = await payer.setUp(CARDS.approve)
  expect(setup).toMatchObject({ state: 'DONE', status: 'SUCCESS', method_last4: '4242' })
  const [method] = await payer.methods()
  expect(method).toMatchObject({
    id: setup.payment_method_id,
    account: payer.account,
    reusable: true,
    default: true,
    consent: { given: true, text: 'Save my card.', language: 'en', checkout: null },
  })
  expect(await payer.events()).toContain('payment_method.created')
  expect((await payer.read('/payments')).payments).toEqual([])
})

it('returns the first set-up to a repeated key, and refuses it for another request', async () => {
  const payer = await newPayer()
  const attemptKey = randomUUID()
  const [first, second] = await Promise.all([
    payer.setUp(CARDS.approve, { attemptKey }),
    payer.setUp(CARDS.approve, { attemptKey }),
  ])
  expect(second?.id).toBe(first?.id)
  expect(await payer.methods()).toHaveLength(1)
  const other = payer.setUp(CARDS.approve, { attemptKey, requestHash: 'b' })
  await expect(other).rejects.toThrow('was used for another submission')
})

it('updates the method of a card that the account has saved before', async () => {
  const payer = await newPayer()
  const first = await payer.setUp(CARDS.approve)
  const second = await payer.setUp(CARDS.approve)
  expect(second.payment_method_id).toBe(first.payment_method_id)
  expect(await payer.events()).toContain('payment_method.updated')
  expect(await payer.forgotten()).toHaveLength(1)
})

it('saves nothing after a decline', async () => {
  const payer = await newPayer()
  const setup = await payer.setUp(CARDS.insufficient)
  expect(setup).toMatchObject({
    state: 'DONE',
    status: 'DECLINE',
    message_id: 'errors.insufficient_funds',
  })
  expect(await payer.methods()).toEqual([])
})

it('saves a method whose response was lost, once the processor is queried', async () => {
  const payer = await newPayer()
  const { id, state: at } = await payer.setUp(CARDS.noAnswerTaken)
  expect(at).toBe('UNRESOLVED')
  expect(await payer.methods()).toEqual([])
  await later(MINUTE_MS)
  expect(await state(id)).toMatchObject({ state: 'DONE', status: 'SUCCESS', next_check: null })
  expect(await payer.methods()).toHaveLength(1)
})

it('ends a set-up that never arrived', async () => {
  const payer = await newPayer()
  const { id } = await payer.setUp(CARDS.noAnswerNotTaken)
  await later(MINUTE_MS)
  expect(await state(id)).toMatchObject({ state: 'DONE', status: 'DECLINE' })
})

it('forgets what an earlier set-up of unknown outcome saved, after another was tried', async () => {
  const payer = await newPayer()
  const lost = await payer.setUp(CARDS.noAnswerTaken)
  const saved = await payer.setUp(CARDS.approve)
  await later(MINUTE_MS)
  expect(await state(lost.id)).toMatchObject({ state: 'DONE', status: 'DECLINE', set_aside: 1 })
  expect(await payer.methods()).toMatchObject([{ id: saved.payment_method_id }])
  expect(await payer.forgotten()).toHaveLength(1)
})

it('saves a method after the payer confirmed at the bank, and returns them to their page', async () => {
  const payer = await newPayer()
  const setup = await payer.setUp(CARDS.challenge)
  expect(setup.state).toBe('ACTION')
  const url = new URL(setup.action_url as string)
  await gateway.choose(url.pathname.split('/').at(-1) as string, 'approve')
  const returned = await app.call(`/pay/setups/${setup.handle}/return`)
  expect(returned.status).toBe(303)
  expect(returned.headers.get('location')).toMatch(/\/go\/tea\?st=/)
  expect(await state(setup.id)).toMatchObject({ state: 'DONE', status: 'SUCCESS' })
})

it('ends a set-up whose payer does not return from the bank within 15 minutes', async () => {
  const payer = await newPayer()
  const { id } = await payer.setUp(CARDS.challenge)
  await later(10 * MINUTE_MS)
  expect(await state(id)).toMatchObject({ state: 'ACTION' })
  await later(6 * MINUTE_MS)
  expect(await state(id)).toMatchObject({ state: 'DONE', status: 'DECLINE' })
})
