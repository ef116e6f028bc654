import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { repetitions } from '../../test/depth.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import type { Json } from '../../test/payments-client.ts'

/** The order of routes, and whom they lead payments to. */

const app = await startTestApp()

async function openShop() {
  const merchant = await app.newMerchant()
  return { ...merchant, ...openEntitiesClient(merchant) }
}

describe('the routes', () => {
  it('are refused where they could never hold', async () => {
    const shop = await openShop()
    const euros = await shop.entity({ currencies: ['EUR'] })
    const refusal = async (route: object) =>
      (
        await shop.api('/legal_entity_routes', {
          body: { legal_entity_route: { legal_entity: euros.id, ...route } },
        })
      ).json.error?.message
    expect(await refusal({ legal_entity: 'le_1_a' })).toContain('legal_entity does not exist')
    expect(await refusal({ when: { currency: ['USD'] } })).toContain('when.currency')
    expect(await refusal({ processor: 'pr_1_a' })).toContain('processor does not exist')
    expect(await refusal({ position: 2 })).toContain('position must be at most 1')
    const amount = { from: '2.00', to: '1.00', currency: 'EUR' }
    expect(await refusal({ when: { amount } })).toContain('amount.to must not be below from')
    const cents = { from: '2.001', currency: 'EUR' }
    expect(await refusal({ when: { amount: cents } })).toContain('too many decimal places')
    expect(await shop.routes()).toEqual([])
  })

  it('lead to the first that holds, else to the default', async () => {
    const shop = await openShop()
    expect(await shop.resolve()).toEqual({ entity: null, route: null })
    const main = await shop.entity()
    const spain = await shop.entity({ legal_name: 'Nord Iberia SL', country: 'ES' })
    const large = await shop.entity({ legal_name: 'Nord Large SA' })
    const one = await shop.route(spain.id, { when: { country: ['ES', 'PT'] } })
    const two = await shop.route(large.id, {
      when: { amount: { from: '100.00', currency: 'EUR' } },
    })
    const paid = { currency: 'EUR', amount: '100.00' }
    expect(await shop.resolve({ country: 'FR' })).toEqual({ entity: main.id, route: null })
    expect(await shop.resolve(paid)).toEqual({ entity: large.id, route: two.id })
    expect(await shop.resolve({ ...paid, country: 'PT' })).toEqual({
      entity: spain.id,
      route: one.id,
    })
    await shop.replace([
      { id: two.id, legal_entity: large.id },
      { id: one.id, legal_entity: spain.id },
    ])
    expect(await shop.resolve({ ...paid, country: 'PT' })).toMatchObject({ route: two.id })
    const events = '/events?criteria=type=legal_entity_route.updated'
    const orders = (await shop.api(events)).json.events.map(({ data }: Json) =>
      data.legal_entity_routes.map(({ id }: Json) => id),
    )
    expect(orders).toHaveLength(3)
    expect(orders).toContainEqual([two.id, one.id])
  })

  it('are never half replaced for a payment that is resolved meanwhile', async () => {
    const shop = await openShop()
    await shop.entity()
    const ids = await Promise.all(
      ['A', 'B'].map(async (legal_name) => (await shop.entity({ legal_name })).id),
    )
    const orders = ids.map((id) => Array.from({ length: 5 }, () => ({ legal_entity: id })))
    await shop.replace(orders[0] as object[])
    const [, ...found] = await Promise.all([
      shop.replace(orders[1] as object[]),
      ...Array.from({ length: 8 }, () => shop.resolve()),
    ])
    for (const { entity } of found) expect(ids).toContain(entity)
    expect(await shop.resolve()).toMatchObject({ entity: ids[1] })
  })
})

/** An operation on a list of routes, at places by remainder. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant('ADD' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('MOVE' as const), which: fc.nat(), at: fc.nat() }),
  fc.record({ kind: fc.constant('DELETE' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('REVERSE' as const) }),
)

describe('the positions of routes', () => {
  it('are those of a list, dense from 1, after any operations', async () => {
    const shop = await openShop()
    const { id: legal_entity } = await shop.entity()
    const expectList = async (model: string[]) => {
      const routes = await shop.routes()
      expect(routes.map(({ id }) => id)).toEqual(model)
      expect(routes.map(({ position }) => position)).toEqual(model.map((_, n) => n + 1))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
        await shop.replace([])
        let model: string[] = []
        for (const step of operations) {
          const id = 'which' in step ? model[step.which % model.length] : undefined
          if (step.kind === 'ADD') {
            const at = step.at % (model.length + 1)
            const route = await shop.route(legal_entity, { position: at + 1 })
            model = model.toSpliced(at, 0, route.id)
          } else if (step.kind === 'REVERSE') {
            model = model.toReversed()
            await shop.replace(model.map((each) => ({ id: each, legal_entity })))
          } else if (id !== undefined && step.kind === 'MOVE') {
            const at = step.at % model.length
            const path = `/legal_entity_routes/${id}`
            const body = { legal_entity_route: { position: at + 1 } }
            expect((await shop.api(path, { method: 'PUT', body })).status).toBe(200)
            model = model.filter((each) => each !== id).toSpliced(at, 0, id)
          } else if (id !== undefined) {
            const path = `/legal_entity_routes/${id}`
            expect((await shop.api(path, { method: 'DELETE' })).status).toBe(204)
            model = model.filter((each) => each !== id)
          }
        }
        await expectList(model)
      }),
      { numRuns: repetitions(8, 100) },
    )
  })

  it('stay dense and unique when routes are added and moved at once', async () => {
    const shop = await openShop()
    const { id } = await shop.entity()
    const made = await Promise.all(Array.from({ length: 5 }, () => shop.route(id, { position: 1 })))
    await Promise.all([
      ...made.slice(0, 2).map((route) =>
        shop.api(`/legal_entity_routes/${route.id}`, {
          method: 'PUT',
          body: { legal_entity_route: { position: 3 } },
        }),
      ),
      shop.api(`/legal_entity_routes/${made[4].id}`, { method: 'DELETE' }),
    ])
    expect((await shop.routes()).map(({ position }) => position)).toEqual([1, 2, 3, 4])
  })
})
