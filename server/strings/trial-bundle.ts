import { trialStrings } from '../../shared/rules/trial-strings.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { type Bundle, createBundle } from './bundle.ts'

const trialBundles = new WeakMap<Bundle, Bundle>()

/**
 * Returns the bundle of a link. On one that begins with a free trial, the sentences about a payment are
 * those about the trial, so that the page needs no others.
 */
export function bundleForLink(bundle: Bundle, { recurring }: PaymentLinkOptions): Bundle {
  if (recurring?.trial_days == null) return bundle
  const made =
    trialBundles.get(bundle) ?? createBundle(bundle.language, trialStrings(bundle.strings))
  trialBundles.set(bundle, made)
  return made
}
