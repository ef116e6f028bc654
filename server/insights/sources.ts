/** The tables whose records are filed, by the prefix of their ids. */
const SOURCE_OF_PREFIX = {
  pay: 'payments',
  ca: 'payments',
  ref: 'refunds',
  rv: 'reversals',
  pl: 'payment_links',
  dl: 'deep_links',
  acc: 'accounts',
  cg: 'charges',
  co: 'contracts',
} as const

export type Source = (typeof SOURCE_OF_PREFIX)[keyof typeof SOURCE_OF_PREFIX]

export const SOURCES = [...new Set(Object.values(SOURCE_OF_PREFIX))]

/** Returns the table of a record; undefined for one that is not filed. */
export function sourceOf(id: string): Source | undefined {
  const prefix = id.slice(0, id.indexOf('_'))
  return Object.hasOwn(SOURCE_OF_PREFIX, prefix)
    ? SOURCE_OF_PREFIX[prefix as keyof typeof SOURCE_OF_PREFIX]
    : undefined
}
