import { expect } from 'vitest'
import type { ApiResponse, Call } from '../app.ts'
import type { Names } from './names.ts'
import type { Rows } from './rows.ts'

/** A request below its sender's path prefix. */
export interface Aim extends Call {
  path: string
  /** The status for names that do not exist. */
  status: number
  /** The owner of the names gets the same response as any other sender. */
  blind?: true
  /** No token reaches the operation, so that a token gets 403. */
  keysOnly?: true
}

/** Differ with each request and carry no data. */
const OWN_HEADERS = new Set(['x-request-id', 'set-cookie', 'date'])

const ID =
  /\b(?:acc|at|aud|ca|cg|ck|ckt|co|dl|dlv|evt|key|le|ler|og|pay|pl|pm|ref|rv|ses|sr|tr|vo|wh)_[0-9A-Za-z]+_[\w-]+/
const REFERENCE = /\b[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}\b/
const SECRET = /\b(?:whsec|sk_test)_[\w+/=-]+/
const MADE = new RegExp([ID, REFERENCE, SECRET].map(({ source }) => source).join('|'), 'g')

/**
 * Returns a response without what differs between any two: names from the request become their
 * roles, and new ids become the numbers of their first places.
 */
export function comparable(answer: ApiResponse, aim: Aim, names: Names): string {
  const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name))
  let text = [answer.status, ...headers.map((pair) => pair.join(': ')), answer.text].join('\n')
  // A form's token is random, like its cookie.
  text = text.replaceAll(/(name="token" value=")[\w-]+/g, '$1')
  const sent = saidIn(aim)
  const namesSent = Object.entries(names)
    .filter(([, value]) => sent.includes(value))
    .toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of namesSent) {
    text = text.replaceAll(value, `{${name}}`).replaceAll(encodeURIComponent(value), `{${name}}`)
  }
  const placeholders = new Map<string, string>()
  return text.replace(MADE, (id) => {
    const place = placeholders.get(id) ?? `{${id.split(/[_-]/)[0]?.length} ${placeholders.size}}`
    placeholders.set(id, place)
    return place
  })
}

/** Fails with the first place at which two responses differ. */
export function expectAlike(one: string, other: string, what: string): void {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 120)
  if (one !== other) expect(around(one), what).toBe(around(other))
}

/** Returns all texts of a request, to find what a response only repeats. */
function saidIn(aim: object): string {
  return decodeURIComponent(JSON.stringify(aim))
}

/** Tells which of a tenant's secrets an answer holds that its request did not. */
export type Finder = (answer: ApiResponse, aim?: object) => string[]

/** Whatever looks made by a machine: a prefix, and an end with a digit in it. */
const TOKEN = /[A-Za-z]{2,8}_(?=[\w-]*\d)[\w-]{8,}|\b[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}\b/g

/**
 * Finds some words of a tenant, and every id and token in its rows but those that others' rows have
 * too, as two merchants have of one card.
 */
export function secretsOf(words: readonly string[], rows: Rows, others: Rows): Finder {
  const tokens = (of: Rows) => Object.values(of).flat().join(' ').match(TOKEN) ?? []
  const shared = new Set(tokens(others))
  const own = new Set(tokens(rows).filter((token) => !shared.has(token)))
  return (answer, aim = {}) => {
    const response = `${[...answer.headers].toString()} ${answer.text}`
    const sent = saidIn(aim)
    const found = new Set((response.match(TOKEN) ?? []).filter((token) => own.has(token)))
    for (const word of words) {
      const at = response.toLowerCase().indexOf(word.toLowerCase())
      // With its surroundings, to locate it.
      if (at >= 0 && !sent.includes(word)) found.add(response.slice(Math.max(0, at - 60), at + 60))
    }
    return [...found].filter((token) => !sent.includes(token))
  }
}
