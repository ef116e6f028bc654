import type { Form } from '../http/form.ts'

/**
 * The query of an authorisation request, and the address that answers it.
 *
 * `state` is the platform's own: it comes back as the very bytes that were sent, be they text or
 * not, so values are kept as bytes in between (specification: Authentication, rule 5).
 */
export interface QueryParameters {
  /** Each parameter as text, without those that were sent empty: RFC 6749 counts them as left out. */
  fields: Form
  /** As it came, decoded; undefined when it was left out. Empty stays empty. */
  state: Buffer | undefined
  /** Names that come more than once: which value is meant is anybody's guess. */
  repeated: readonly string[]
}

/** Reads a query without its question mark. Of a parameter that comes twice it has the last value. */
export function parseQueryString(text: string): QueryParameters {
  const pairs = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, Buffer] => {
      const equals = pair.indexOf('=')
      const [name, value] =
        equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      return [decode(name).toString('utf8'), decode(value)]
    })
  const names = pairs.map(([name]) => name)
  return {
    fields: new Map(
      pairs
        .filter(([, value]) => value.length > 0)
        .map(([name, value]) => [name, value.toString('utf8')]),
    ),
    state: pairs.find(([name]) => name === 'state')?.[1],
    repeated: names.filter((name, at) => names.indexOf(name) !== at),
  }
}

/** The bytes behind a name or value of a query: `+` is a space, and `%XX` a byte. */
function decode(text: string): Buffer {
  const latin = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(latin, 'latin1')
}

/** The same bytes for a query, in the spelling that every reader decodes alike. */
function encode(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(
      /[^A-Za-z0-9._~-]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}

/**
 * A registered address with parameters of ours behind whatever query it has; not a byte of it
 * changes. It has no fragment, because none is registered.
 */
export function appendParameters(
  url: string,
  parameters: Readonly<Record<string, string | Buffer | undefined>>,
): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(Buffer.from(value))}`],
  )
  const joint = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&'
  return `${url}${joint}${added.join('&')}`
}
