import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from './collect-due-charges.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import { DAY_MS, openPaymentsClient } from '../../test/payments-client.ts'
import type { SandboxTables } from '../processors/sandbox/index.ts'
import type { Kysely } from 'kysely'

/** To whom payments by API belong, and what follows them. */

const app = await startTestApp()
const { deps } = app.checkstand

async function openShop() {
  const merchant = await app.newMerchant()
  return { ...merchant, ...openEntitiesClient(merchant), client: openPaymentsClient(app, merchant) }
}

/** A shop whose route leads payers of Spain to an entity that is not the default. */
async function openRoutedShop() {
  const shop = await openShop()
  const main = await shop.entity({ statement_descriptor: 'NORD MAIN' })
  const spain = await shop.entity({ country: 'ES', statement_descriptor: 'NORD IBERIA' })
  await shop.route(spain.id, { when: { country: ['ES'] } })
  return { ...shop, main: main.id as string, spain: spain.id as string }
}

const inSpain = { account: { crm_key: 'customer', address: { country: 'ES' } } }

/** Returns what the sandbox was told that statements show. */
async function statementOf(reference: string): Promise<string | null | undefined> {
  const row = await (deps.db as unknown as Kysely<SandboxTables>)
    .selectFrom('sandbox_operations')
    .select('statement_descriptor')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.statement_descriptor
}

describe('a payment', () => {
  it('belongs to nobody while the instance has no legal entities', async () => {
    const { client } = await openShop()
    const payment = await client.pay()
    expect(payment.legal_entity).toBeNull()
    expect(await statementOf(payment.gateway_reference)).toBeNull()
    const refused = await client.send({
      amount: '1.00',
      payment_method: { token: 'tok' },
      legal_entity: 'le_1_a',
    })
    expect(refused.json.error.message).toBe('payment.legal_entity does not exist')
  })

  it('belongs to the entity of the first route that holds, else to the default', async () => {
    const { client, main, spain } = await openRoutedShop()
    const here = await client.pay()
    const there = await client.pay(undefined, inSpain)
    expect([here.legal_entity, there.legal_entity]).toEqual([main, spain])
    expect(await statementOf(here.gateway_reference)).toBe('NORD MAIN')
    expect(await statementOf(there.gateway_reference)).toBe('NORD IBERIA')
    const { legal_entity } = await client.read(there.id, '?expand=legal_entity')
    expect(legal_entity).toMatchObject({ id: spain, country: 'ES' })
  })

  it('belongs to the entity that its request names, unless that cannot be paid', async () => {
    const { client, entity, main, spain, api } = await openRoutedShop()
    expect((await client.pay(undefined, { ...inSpain, legal_entity: main })).legal_entity).toBe(
      main,
    )
    const dollars = await entity({ currencies: ['USD'] })
    const gone = await entity()
    await api(`/legal_entities/${gone.id}`, { method: 'DELETE' })
    for (const [legal_entity, rule] of [
      [dollars.id, 'does not take EUR, only USD'],
      [gone.id, 'is archived'],
    ]) {
      const payment = {
        amount: '1.00',
        currency: 'EUR',
        legal_entity,
        payment_method: { token: 't' },
      }
      const { status, json } = await client.send(payment)
      expect([status, json.error.message]).toEqual([400, `payment.legal_entity ${rule}`])
    }
    expect(spain).not.toBe(main)
  })

  it('keeps its entity for captures and refunds, whatever the routes become', async () => {
    const { client, main, spain, replace, change } = await openRoutedShop()
    const authorisation = await client.authorise(undefined, inSpain)
    const payment = await client.pay(undefined, inSpain)
    await replace([])
    await change(main, { legal_name: 'Another' })
    const { capture } = (await client.capture(authorisation.id)).json
    const { refund } = (await client.refund(payment.id)).json
    expect([capture.legal_entity, refund.legal_entity]).toEqual([spain, spain])
  })
})

describe('a contract', () => {
  it('keeps its entity for all its charges and their collections', async () => {
    const { client, spain, replace, api } = await openRoutedShop()
    const { account, method } = await client.storeCard()
    await api(`/accounts/${account}`, {
      method: 'PUT',
      body: { account: { address: { country: 'ES' } } },
    })
    const first = await client.pay(undefined, {
      account,
      payment_method: method,
      recurring: { frequency: 'MONTH', count: 3 },
    })
    await replace([])
    app.pass(32 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    const { charges } = (await api(`/charges?criteria=contract=${first.contract}`)).json
    const { payments } = (await api(`/payments?criteria=contract=${first.contract}`)).json
    expect(charges).toHaveLength(2)
    for (const record of [...charges, ...payments]) expect(record.legal_entity).toBe(spain)
    const [collected] = payments
    expect(collected.id).not.toBe(first.id)
    expect(await statementOf(collected.gateway_reference)).toBe('NORD IBERIA')
    const contract = (await api(`/contracts/${first.contract}`)).json.contract
    expect(contract.legal_entity).toBe(spain)
  })
})

describe('a payment of charges', () => {
  it('belongs to the entity to which they are owed', async () => {
    const { client, spain, replace, api } = await openRoutedShop()
    const { account, method } = await client.storeCard()
    const due = new Date(app.now() + DAY_MS).toISOString()
    const owed = { account, payment_method: method, due, legal_entity: spain }
    const { charge, id } = await client.pay(undefined, owed)
    expect((await client.read(id)).legal_entity).toBe(spain)
    await replace([])
    const parts = [{ charge, amount: '10.00' }]
    expect((await client.pay(undefined, { account, parts })).legal_entity).toBe(spain)
    expect((await api(`/charges/${charge}`)).json.charge.legal_entity).toBe(spain)
  })
})
