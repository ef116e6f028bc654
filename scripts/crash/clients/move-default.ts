import type { Client, CrashRun } from '../crash-run.ts'

/** Merchants who move the default from one of their legal entities to the other. */

/** Payments of so much or more belong to the second entity, by a route. */
export const ROUTED_FROM = '30.00'

/** Creates two legal entities of a shop, and a route to the second one. */
export async function prepareEntities(lab: CrashRun, client: Client): Promise<void> {
  for (const country of ['FR', 'DE']) {
    const legal_entity = { legal_name: `Books of ${country}`, country }
    const path = '/legal_entities'
    const created = await client.send({ op: 'prepare', path, body: { legal_entity } })
    lab.entities[client.shop].push(created?.json.legal_entity.id)
  }
  const when = { amount: { from: ROUTED_FROM, currency: 'EUR' } }
  const legal_entity_route = { legal_entity: lab.entities[client.shop][1], when }
  const path = '/legal_entity_routes'
  await client.send({ op: 'prepare', path, body: { legal_entity_route } })
}

export async function moveDefault(lab: CrashRun, client: Client): Promise<void> {
  const entity = client.random.pick(lab.entities[client.shop])
  await client.send({
    op: 'entity.edit',
    path: `/legal_entities/${entity}`,
    method: 'PUT',
    body: { legal_entity: { default: true } },
    about: { entity },
  })
}
