import type { Adapter, Keys } from '../adapter.ts'
import { stripeSettings } from './settings.ts'

/** The forms of keys, with the mode in them. Stripe does not promise a length. */
const FORMS: Readonly<Record<keyof Keys, { form: RegExp; rule: string }>> = {
  secret_key: {
    form: /^(?:sk|rk)_(test|live)_\w{8,240}$/,
    rule: 'must be a secret or restricted key of Stripe: sk_… or rk_…',
  },
  publishable_key: {
    form: /^pk_(test|live)_\w{8,240}$/,
    rule: 'must be a publishable key of Stripe: pk_…',
  },
  webhook_secret: {
    form: /^whsec_[\w+/=-]{8,240}$/,
    rule: 'must be the signing secret of a webhook endpoint of Stripe: whsec_…',
  },
}

/** What is known of a connection without asking Stripe. */
export const stripeCredentials: Pick<Adapter, 'keysProblem' | 'paidAccount' | 'methodTypes'> = {
  keysProblem(keys, mode) {
    for (const [name, { form, rule }] of Object.entries(FORMS)) {
      const member = name as keyof Keys
      const key = keys[member]
      if (key === undefined) continue
      const found = form.exec(key)
      if (!found) return { member, rule }
      const [, ofMode] = found
      if (ofMode !== undefined && ofMode.toUpperCase() !== mode) {
        return { member, rule: `is a ${ofMode} key, and this instance is in ${mode} mode` }
      }
    }
    return undefined
  },
  paidAccount: (settings) => stripeSettings.parse(settings).account,
  methodTypes: (settings) => stripeSettings.parse(settings).methods,
}
