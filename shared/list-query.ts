/** Rows of a page of the console's lists. */
export const PAGE_ROWS = 50

/** Returns the query of the API for one page of a list. */
export function listQuery(options: {
  criteria: string
  order?: string | undefined
  expand?: string | undefined
  limit: number
  page?: number
  summed?: boolean | undefined
}): string {
  const { criteria, order, expand, limit, page = 1, summed } = options
  const parameters: Readonly<Record<string, string | number | undefined>> = {
    limit,
    offset: page > 1 ? (page - 1) * limit : undefined,
    criteria: criteria || undefined,
    order: order || undefined,
    expand,
    sum: summed ? 'amount' : undefined,
  }
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join('&')
}

interface FirstList {
  /** The path of the list in the API, and the member of its answer. */
  name: string
  expand?: string
  /** Whether what all matches come to is asked for. */
  summed?: boolean
}

/** What the lists of the console's sections ask for before anything is chosen. */
export const FIRST_LISTS = {
  links: { name: 'payment_links', expand: 'account,payment' },
  payments: { name: 'payments', expand: 'account,payment_method', summed: true },
  customers: { name: 'accounts' },
} as const satisfies Record<string, FirstList>

/** Returns the path, within the instance, that a list of the console asks first; undefined for other sections. */
export function firstListPath(section: string): string | undefined {
  if (!Object.hasOwn(FIRST_LISTS, section)) return undefined
  const { name, expand, summed }: FirstList = FIRST_LISTS[section as keyof typeof FIRST_LISTS]
  return `/${name}?${listQuery({ criteria: '', expand, limit: PAGE_ROWS, summed })}`
}
