import { originAllowed } from '../../../shared/rules/embed-origin.ts'

/** The page around this one, as the embed script names it in the frame's address. */
export interface Host {
  /** Comes with every message, both ways. */
  frame: string
  origin: string
  overlay: boolean
  /** The CSS `color-scheme` of the page around, where it was kept over a bank's page. */
  theme: string | undefined
}

const NAME = 'checkstand '

/**
 * Who is around, or undefined where nobody says so, or somebody who may not be. A bank's page takes
 * the words of the address away; the name of the frame outlives it, where storage may be blocked.
 */
export function hostOf(allowed: readonly string[]): Host | undefined {
  const kept = window.name.startsWith(NAME) ? window.name.slice(NAME.length) : ''
  const theme = new URLSearchParams(location.search).get('theme') ?? ''
  const words = location.hash === '' ? kept : `${location.hash.slice(1)},${theme}`
  const [frame, origin = '', overlay, around] = words.split(',')
  if (!frame || !mayBeAround(origin, allowed)) return undefined
  window.name = NAME + words
  return { frame, origin, overlay: overlay === 'true', theme: around || undefined }
}

/** The origin around a frame that somebody made without the embed script, where browsers tell. */
export function originAround(allowed: readonly string[]): string | undefined {
  const around = location.ancestorOrigins?.[0]
  return around !== undefined && mayBeAround(around, allowed) ? around : undefined
}

/** Our own origin may not: its pages could reach into this one. */
function mayBeAround(origin: string, allowed: readonly string[]): boolean {
  const around = location.ancestorOrigins?.[0] ?? origin
  return around === origin && origin !== location.origin && originAllowed(origin, allowed)
}
