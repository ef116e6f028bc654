import type { Area, Permission } from '../../shared/rules/permissions.ts'
import { EVENT_TYPES, type EventType } from '../events/event-types.ts'

type Resource = EventType extends infer Type
  ? Type extends `${infer Name}.${string}`
    ? Name
    : never
  : never

/** The area of the records that events are about. */
const AREA_OF_RESOURCE: Readonly<Record<Resource, Area>> = {
  account: 'accounts',
  capture: 'payments',
  charge: 'charges',
  checkout: 'payment_links',
  checkout_monitor: 'payment_links',
  contract: 'charges',
  deep_link: 'payment_links',
  legal_entity: 'instances',
  legal_entity_route: 'instances',
  payment: 'payments',
  payment_link: 'payment_links',
  payment_method: 'accounts',
  processor: 'processors',
  refund: 'payments',
  reversal: 'payments',
  strings: 'strings',
  void: 'payments',
  webhook: 'webhooks',
}

/**
 * Returns the types of the events that a caller may see: all with `webhooks:read` or without
 * restrictions, and otherwise those of the areas that the caller may read.
 */
export function visibleTypes(permitted: ReadonlySet<Permission> | undefined): readonly EventType[] {
  if (permitted === undefined || permitted.has('webhooks:read')) return EVENT_TYPES
  return EVENT_TYPES.filter((type) => {
    const resource = type.slice(0, type.indexOf('.')) as Resource
    return permitted.has(`${AREA_OF_RESOURCE[resource]}:read`)
  })
}
