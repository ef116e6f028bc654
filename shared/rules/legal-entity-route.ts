/** Which legal entity a payment belongs to, by rules in order. */

/** Members all hold; of the values of one member, one holds. An absent member is no condition. */
export interface RouteConditions {
  currency?: readonly string[] | undefined
  country?: readonly string[] | undefined
  channel?: readonly string[] | undefined
  branding?: readonly string[] | undefined
  source?: readonly string[] | undefined
  account_tag?: readonly string[] | undefined
  /** Minor units, both included. */
  amount?: { from?: number | undefined; to?: number | undefined; currency: string } | undefined
}

/** What is known of a payment. An undefined member may become known later; null means none. */
export interface RouteFacts {
  currency: string
  /** Of the payer. */
  country: string | null | undefined
  channel: string | null
  branding: string | null
  source: string
  account_tags: readonly string[]
  /** Minor units. */
  amount: number | null | undefined
  /** The processor of the method; undefined while any may be used. */
  processor: string | undefined
}

export interface Route {
  when: RouteConditions
  /** The connection that its legal entity settles with; null for any. */
  processor: string | null
  /** Currencies of its legal entity; null for all. */
  currencies: readonly string[] | null
  enabled: boolean
}

export type RouteOutcome<R> = { route: R } | 'NONE' | 'UNDECIDED'

/**
 * Returns the first route whose conditions hold, or `NONE`. Returns `UNDECIDED` when an earlier route
 * would hold but for a fact that is not known yet, so that a later fact never moves a payment.
 */
export function firstRoute<R extends Route>(
  routes: readonly R[],
  facts: RouteFacts,
): RouteOutcome<R> {
  for (const route of routes) {
    const holds = routeHolds(route, facts)
    if (holds === true) return { route }
    if (holds === undefined) return 'UNDECIDED'
  }
  return 'NONE'
}

/** Returns undefined while it depends on a fact that is not known. */
export function routeHolds(route: Route, facts: RouteFacts): boolean | undefined {
  const { when, currencies, processor } = route
  const known = [
    route.enabled,
    currencies === null || currencies.includes(facts.currency),
    processor === null || facts.processor === undefined || facts.processor === processor,
    isOneOf(when.currency, facts.currency),
    isOneOf(when.channel, facts.channel),
    isOneOf(when.branding, facts.branding),
    isOneOf(when.source, facts.source),
    when.account_tag === undefined ||
      when.account_tag.some((tag) => facts.account_tags.includes(tag)),
  ]
  if (known.includes(false)) return false
  const later = [countryHolds(when.country, facts.country), amountHolds(when.amount, facts)]
  if (later.includes(false)) return false
  return later.includes(undefined) ? undefined : true
}

function isOneOf(values: readonly string[] | undefined, value: string | null): boolean {
  return values === undefined || (value !== null && values.includes(value))
}

function countryHolds(
  countries: RouteConditions['country'],
  country: RouteFacts['country'],
): boolean | undefined {
  if (countries === undefined) return true
  return country === undefined ? undefined : isOneOf(countries, country)
}

function amountHolds(
  range: RouteConditions['amount'],
  { amount, currency }: RouteFacts,
): boolean | undefined {
  if (range === undefined) return true
  if (range.currency !== currency) return false
  if (amount === undefined) return undefined
  if (amount === null) return false
  return amount >= (range.from ?? 0) && amount <= (range.to ?? Number.MAX_SAFE_INTEGER)
}
