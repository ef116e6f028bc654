/**
 * Returns whether a page of this origin may frame the payment page. `allowed` are an instance's
 * `allowed_origins`: exact origins, or `https://*.shop.example` for every host below shop.example
 * but not for itself, as in `frame-ancestors`.
 */
export function originAllowed(origin: string, allowed: readonly string[]): boolean {
  return allowed.map(withoutUsualPort).some((entry) => {
    const [scheme = '', parent] = entry.split('*')
    if (parent === undefined) return entry === origin
    const below = origin.slice(scheme.length, -parent.length)
    return scheme + below + parent === origin && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(below)
  })
}

/** Browsers omit the default port of a scheme; settings may contain it. */
function withoutUsualPort(origin: string): string {
  return origin.replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2')
}
