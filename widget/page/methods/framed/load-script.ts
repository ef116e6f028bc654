import type { StripeConstructor } from '@stripe/stripe-js'

/** The part of Trusted Types that the page uses. */
interface TrustedTypes {
  defaultPolicy: unknown
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string | null },
  ) => unknown
}

const origins = new Set<string>()
let loading: Promise<StripeConstructor> | undefined

/**
 * Loads Stripe.js once. Its own loader fails on a page that requires Trusted Types. Rejects when the
 * script cannot be loaded.
 */
export function loadStripe(url: string): Promise<StripeConstructor> {
  return (loading ??= appendScript(url))
}

/** The next load appends the script once more, as when it has loaded and does not work. */
export function forgetStripe(): void {
  loading = undefined
}

function appendScript(url: string): Promise<StripeConstructor> {
  allowScriptsOf(new URL(url).origin)
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new Error())
    }
    script.addEventListener('error', fail)
    script.addEventListener('load', () => (window.Stripe ? resolve(window.Stripe) : fail()))
    script.src = url
    document.head.append(script)
  })
}

/** The page's only policy of Trusted Types: scripts of these origins, and no HTML or inline script. */
function allowScriptsOf(origin: string): void {
  origins.add(origin)
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', {
    createScriptURL: (url) => (origins.has(new URL(url, location.href).origin) ? url : null),
  })
}
