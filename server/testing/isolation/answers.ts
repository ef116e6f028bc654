import type { Answer, Call } from '../app.ts'
import type { Rows } from './rows.ts'
import type { Names } from './names.ts'

/** What can be read out of an answer, and out of the difference of two. */

/** A request at an address below whatever prefix its sender uses. */
export interface Aim extends Call {
  path: string
  /** What it is answered for names that nothing ever had. */
  status: number
}

/** Changes with each request, and tells nothing. */
const OWN_HEADERS = new Set(['x-request-id', 'set-cookie', 'date'])

const ID = /\b(acc|at|ca|cg|ck|ckt|co|dlv|evt|pay|pl|pm|ref|ses|tr|vo|wh)_[0-9A-Za-z]+_[\w-]+/g
const REFERENCE = /\b[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}\b/g
const SECRET = /\bwhsec_[\w+/=]+/g

/**
 * An answer without what differs between any two: the names that were asked for, and the ids that
 * were made for it, which become the numbers of their first places.
 */
export function comparable({ status, headers, text }: Answer, names: Names) {
  const shown = [...headers].filter(([name]) => !OWN_HEADERS.has(name))
  return { status, headers: without(shown.toString(), names), text: without(text, names) }
}

function without(text: string, names: Names): string {
  let left = text
  const named = Object.entries(names).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of named) {
    left = left.replaceAll(value, `{${name}}`).replaceAll(encodeURIComponent(value), `{${name}}`)
  }
  for (const pattern of [ID, REFERENCE, SECRET]) {
    const seen = new Map<string, string>()
    left = left.replace(pattern, (found) => {
      const place = seen.get(found) ?? `{${pattern.source.slice(0, 8)}${seen.size}}`
      seen.set(found, place)
      return place
    })
  }
  return left
}

/** Tells which of a tenant's secrets an answer holds that its request did not. */
export type Finder = (answer: Answer, aim?: Call & { path?: string }) => string[]

/** Whatever looks made by a machine: a prefix, and an end with a digit in it. */
const TOKEN = /[A-Za-z]{2,8}_(?=[\w-]*\d)[\w-]{8,}|\b[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}\b/g

/**
 * Finds the marked texts of a tenant, and every id and token in its rows but those that others'
 * rows have too, as two merchants have of one card.
 */
export function secretsOf(secret: string, rows: Rows, others: Rows): Finder {
  const tokens = (of: Rows) => JSON.stringify(Object.values(of)).match(TOKEN) ?? []
  const shared = new Set(tokens(others))
  const own = new Set(tokens(rows).filter((token) => !shared.has(token)))
  return (answer, aim) => {
    const heard = `${[...answer.headers].toString()} ${answer.text}`
    const said = aim === undefined ? '' : decodeURIComponent(JSON.stringify(aim))
    const found = new Set((heard.match(TOKEN) ?? []).filter((token) => own.has(token)))
    if (heard.toLowerCase().includes(secret)) found.add(around(heard, secret))
    return [...found].filter((token) => !said.includes(token))
  }
}

/** The secret with a little of what stands around it, to find it by. */
function around(text: string, secret: string): string {
  const at = text.toLowerCase().indexOf(secret)
  return text.slice(Math.max(0, at - 40), at + secret.length + 20)
}
