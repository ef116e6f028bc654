/**
 * Returns the rule that a redirect URL of a merchant breaks, or null. Checked when the link is
 * written and again when it is used: a `javascript:` URL would run in the page, and user
 * information in a URL makes one host look like another. `testMode` allows plain http, which
 * localhost always may use.
 */
export function redirectTargetProblem(target: string, testMode: boolean): string | null {
  // URL() drops tabs, line breaks and outer spaces; what we check must be what we send.
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is sought
  if (/[\u0000-\u0020\u007f\\]/.test(target) || !URL.canParse(target)) {
    return 'must be an absolute https URL without spaces'
  }
  // URIs are ASCII; servers interpret other characters in a Location differently.
  if (/[^ -~]/.test(target)) return 'must be percent-encoded where it is not ASCII'
  // URL() also accepts "https:shop" and "https:///shop", which a browser may resolve against our
  // own host.
  if (!/^[a-z]+:\/\/[^/]/i.test(target)) return 'must be an absolute https URL'
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') return 'may not carry a user name or password'
  if (url.protocol === 'https:') return null
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.protocol === 'http:' && (testMode || local)) return null
  return 'must be an absolute https URL'
}
