import { expect } from 'vitest'
import type { MerchantClient } from './client.ts'
import type { Json } from './payments-client.ts'

/** A merchant's legal entities and routes. */
export function openEntitiesClient({ api }: MerchantClient) {
  const send = async (path: string, body: unknown, method = 'POST'): Promise<Json> => {
    const response = await api(path, { method, body })
    expect(response.status, response.text).toBe(200)
    return response.json
  }
  return {
    /** Creates an entity in France; `more` overrides members. */
    entity: async (more: Record<string, unknown> = {}): Promise<Json> => {
      const legal_entity = { legal_name: 'Atelier Nord SAS', country: 'FR', ...more }
      return (await send('/legal_entities', { legal_entity })).legal_entity
    },
    change: async (id: string, legal_entity: object): Promise<Json> => {
      return (await send(`/legal_entities/${id}`, { legal_entity }, 'PUT')).legal_entity
    },
    /** Creates a route to an entity. */
    route: async (legal_entity: string, more: Record<string, unknown> = {}): Promise<Json> => {
      const body = { legal_entity_route: { legal_entity, ...more } }
      return (await send('/legal_entity_routes', body)).legal_entity_route
    },
    replace: async (legal_entity_routes: object[]): Promise<Json[]> => {
      return (await send('/legal_entity_routes', { legal_entity_routes }, 'PUT'))
        .legal_entity_routes
    },
    /** Returns the routes in their order. */
    routes: async (): Promise<Json[]> => {
      return (await api('/legal_entity_routes?limit=1000')).json.legal_entity_routes
    },
    /** Returns whom a payment would belong to, and by which route. */
    resolve: async (
      payment: object = {},
    ): Promise<{ entity: string | null; route: string | null }> => {
      const json = await send('/legal_entity_routes/resolve', { payment })
      return {
        entity: json.legal_entity?.id ?? null,
        route: json.legal_entity_route?.id ?? null,
      }
    },
  }
}
