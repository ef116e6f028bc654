import type { Client, CrashRun } from '../crash-run.ts'

/** Merchants who move the default from one of their legal entities to the other. */

/** Finds the legal entities of a shop. */
export async function prepareEntities(lab: CrashRun, client: Client): Promise<void> {
  const listed = await client.send({ op: 'prepare', path: '/legal_entities' })
  for (const { id } of listed?.json.legal_entities ?? []) lab.entities[client.shop].push(id)
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
