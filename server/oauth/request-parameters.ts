import type { Form } from '../http/form.ts'

/** The parameters of an authorization request. */
export interface QueryParameters {
  /** Decoded values. Empty ones are left out, as RFC 6749 section 3.1 requires. */
  fields: Form
  /** The decoded bytes of `state`, which are returned unchanged even when they are not UTF-8. */
  state: Buffer | undefined
  /** The names that occur more than once. */
  repeated: readonly string[]
}

/** Parses a query without its question mark. The last value of a repeated parameter is kept. */
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
    repeated: names.filter((name, index) => names.indexOf(name) !== index),
  }
}

/** Decodes `+` to a space and `%XX` to a byte. */
function decode(text: string): Buffer {
  const latin = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(latin, 'latin1')
}

/** Percent-encodes all bytes except the unreserved characters of RFC 3986. */
function encode(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(
      /[^A-Za-z0-9._~-]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}

/**
 * Appends parameters to the query of a URL without changing its existing bytes. The URL must have no
 * fragment.
 */
export function appendParameters(
  url: string,
  parameters: Readonly<Record<string, string | Buffer | undefined>>,
): string {
  const appended = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(Buffer.from(value))}`],
  )
  const separator = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&'
  return `${url}${separator}${appended.join('&')}`
}
