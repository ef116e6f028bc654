import type {
  LegalEntityRouteRecord,
  RouteChange,
} from '../../../shared/schemas/legal-entity-route.ts'

export type When = LegalEntityRouteRecord['when']

export const SOURCES = ['ECOMMERCE', 'MOTO', 'RECURRING'] as const

/** Conditions that are typed as a list, separated by commas. */
export const LISTS = ['currency', 'country', 'channel', 'branding', 'account_tag'] as const

/** A route as it is typed. */
export interface RouteDraft extends Record<(typeof LISTS)[number], string> {
  legal_entity: string
  source: readonly (typeof SOURCES)[number][]
  from: string
  to: string
  amount_currency: string
  /** Id of a processor; empty for any. */
  processor: string
  enabled: boolean
  description: string
}

/** Returns the form of a route; for a new one, that of any payment to `entity`. */
export function routeDraft(
  route: LegalEntityRouteRecord | undefined,
  { entity, currency }: { entity: string; currency: string },
): RouteDraft {
  const when: When = route?.when ?? {}
  const typed = (values: readonly string[] | undefined) => values?.join(', ') ?? ''
  return {
    legal_entity: route ? entityId(route) : entity,
    currency: typed(when.currency),
    country: typed(when.country),
    channel: typed(when.channel),
    branding: typed(when.branding),
    account_tag: typed(when.account_tag),
    source: when.source ?? [],
    from: when.amount?.from ?? '',
    to: when.amount?.to ?? '',
    amount_currency: when.amount?.currency ?? currency,
    processor: route?.processor ?? '',
    enabled: route?.enabled ?? true,
    description: route?.description ?? '',
  }
}

/** Returns the id of a route's legal entity, expanded or not. */
export const entityId = ({ legal_entity: entity }: LegalEntityRouteRecord): string =>
  typeof entity === 'string' ? entity : (entity?.id ?? '')

/** Returns the members to send. Conditions that are empty are left out, so that they do not count. */
export function routeBody(draft: RouteDraft): RouteChange {
  const when: When = {}
  for (const name of LISTS) {
    const values = listOf(draft[name])
    const isCode = name === 'currency' || name === 'country'
    if (values.length > 0) when[name] = isCode ? values.map((code) => code.toUpperCase()) : values
  }
  if (draft.source.length > 0) when.source = [...draft.source]
  const [from, to] = [draft.from.trim(), draft.to.trim()]
  if (from !== '' || to !== '') {
    when.amount = {
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      currency: draft.amount_currency,
    }
  }
  const description = draft.description.trim()
  return {
    legal_entity: draft.legal_entity,
    when,
    processor: draft.processor === '' ? null : draft.processor,
    enabled: draft.enabled,
    description: description === '' ? null : description,
  }
}

const listOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean),
  ),
]
