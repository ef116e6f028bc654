import { isPlainOrigin } from '../../shared/rules/plain-origin.ts'

/** Words of our own in a policy: keywords, hashes of what we send, and addresses on this server. */
const OWN = /^('(self|none|script|sha256-[A-Za-z0-9+/]+=*)'|data:|\/[a-z]+)$/

/**
 * Returns a Content-Security-Policy of these directives, in their order, each with its sources. A
 * source that is neither a word of our own nor a plain origin (`https://*.shop.example` included) is
 * left out: it could end its directive or begin another. A directive that is left with none allows
 * nothing.
 */
export function contentSecurityPolicy(
  directives: Readonly<Record<string, readonly string[]>>,
): string {
  const texts = Object.entries(directives).map(([name, sources]) => {
    const kept = sources.filter(isSource)
    return [name, ...(kept.length > 0 ? kept : ["'none'"])].join(' ')
  })
  return texts.join('; ')
}

function isSource(text: string): boolean {
  return OWN.test(text) || isPlainOrigin(text.replace('://*.', '://'))
}
