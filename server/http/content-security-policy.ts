import { isPlainOrigin } from '../../shared/rules/plain-origin.ts'

/** Sources other than origins: keywords, names, hashes and paths of this server. */
const OWN = /^('(self|none|script|sha256-[A-Za-z0-9+/]+=*)'|data:|default|\/[a-z]+)$/

/**
 * Returns a Content-Security-Policy of these directives, in their order. A source that is neither a
 * keyword nor a plain origin (`https://*.shop.example` included) is dropped, because it could end
 * its directive or start another. A directive without sources allows nothing.
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
