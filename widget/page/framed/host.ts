import { originAllowed } from '../../../shared/rules/embed-origin.ts'

/** The page that embeds this one. */
export interface Host {
  /** The nonce of the frame, in every message of both directions. */
  frame: string
  origin: string
  overlay: boolean
  /** The host page's CSS `color-scheme`, where it is kept over a bank's page. */
  theme: string | undefined
}

const NAME_PREFIX = 'checkstand '

/**
 * Returns the host page that the embed script wrote into the fragment of the URL, or undefined when it
 * is missing or not allowed. A return from the bank loses the fragment, so the name of the window
 * keeps it; storage may be blocked in a frame.
 */
export function findHost(allowed: readonly string[]): Host | undefined {
  const kept = window.name.startsWith(NAME_PREFIX) ? window.name.slice(NAME_PREFIX.length) : ''
  const colorScheme = new URLSearchParams(location.search).get('theme') ?? ''
  const text = location.hash === '' ? kept : `${location.hash.slice(1)},${colorScheme}`
  const [frame, origin = '', overlay, theme] = text.split(',')
  if (!frame || !isAllowedHost(origin, allowed)) return undefined
  window.name = NAME_PREFIX + text
  return { frame, origin, overlay: overlay === 'true', theme: theme || undefined }
}

/** Returns the origin of a host page that does not use the embed script, where the browser has it. */
export function ancestorOrigin(allowed: readonly string[]): string | undefined {
  const origin = location.ancestorOrigins?.[0]
  return origin !== undefined && isAllowedHost(origin, allowed) ? origin : undefined
}

/** Our own origin is not allowed, because its scripts could access this page. */
function isAllowedHost(origin: string, allowed: readonly string[]): boolean {
  const ancestor = location.ancestorOrigins?.[0] ?? origin
  return ancestor === origin && origin !== location.origin && originAllowed(origin, allowed)
}
