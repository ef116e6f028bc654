import type { Maker } from './maker.ts'

/** A merchant's legal entities, to which all its payments belong, and a route. */
export async function makeEntities({ keys, text, post }: Maker) {
  const site = `https://${text('entity').replace(' ', '.')}.example`
  const legal_entity = {
    alt_key: keys.entityKey,
    name: text('own name'),
    legal_name: text('legal name'),
    country: 'GB',
    registration_number: text('number'),
    registered_at: text('register'),
    tax_ids: [{ type: 'OTHER', country: 'GB', value: 'T1' }],
    address: { line1: text('seat'), country: 'GB' },
    url: `${site}/legal`,
    receipt_footer: text('footer'),
  }
  const made = await post('/legal_entities', { legal_entity })
  const { id } = made.legal_entity
  const spare = { legal_name: text('spare'), country: 'GB' }
  const other = await post('/legal_entities', { legal_entity: spare })
  const legal_entity_route = {
    legal_entity: id,
    when: { currency: ['EUR'] },
    description: text('route'),
  }
  const routed = await post('/legal_entity_routes', { legal_entity_route })
  return {
    legalEntity: id as string,
    spareEntity: other.legal_entity.id as string,
    entityRoute: routed.legal_entity_route.id as string,
  }
}
