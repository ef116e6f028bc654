import type { Adapter } from './adapter.ts'
import { stripeCredentials } from './stripe/credentials.ts'
import { STRIPE_NOTICE_TYPES } from './stripe/notice-types.ts'
import { stripeSettings } from './stripe/settings.ts'

/** By the name in `processor_connections.name`. */
export const ADAPTERS = {
  stripe: {
    title: 'Stripe',
    settings: stripeSettings,
    noticeTypes: STRIPE_NOTICE_TYPES,
    ...stripeCredentials,
    urls: ({ stripeApiUrl: apiUrl, stripeScriptUrl: scriptUrl }) => ({ apiUrl, scriptUrl }),
    load: async () => {
      const [{ stripeAccount }, { createStripe: create }] = await Promise.all([
        import('./stripe/account.ts'),
        import('./stripe/index.ts'),
      ])
      return { accountApi: stripeAccount, create }
    },
  },
} satisfies Record<string, Adapter>

export type AdapterName = keyof typeof ADAPTERS

/** Throws an Error for a name that this version does not have. */
export function adapterOf(name: string): Adapter {
  const adapter = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name as AdapterName] : undefined
  if (!adapter) throw new Error(`this version has no adapter for ${name}`)
  return adapter
}
