import type { ShopIds } from './seed-shop.ts'

/** A screen of the console, as the journeys and the pictures visit it. */
export interface ConsoleScreen {
  name: string
  /** Its route in `console/App.tsx`. */
  route: string
  /** The record that `:id` of the route stands for. */
  id?: keyof ShopIds
  /** What `:page` of the route stands for. */
  page?: string
  /** What `:branding` of the route stands for. */
  branding?: string
  /** What follows the path, such as the row whose details are shown. */
  query?: (ids: ShopIds) => string
}

/** Components of routes that lead to another screen at once. */
export const REDIRECTS = ['Entry']

/** Every screen of the console. `screens.test.ts` compares them with the routes. */
export const SCREENS: readonly ConsoleScreen[] = [
  { name: 'start', route: '/console/start' },
  { name: 'home', route: '/console/:instance' },
  { name: 'links', route: '/console/:instance/links' },
  {
    name: 'links-details',
    route: '/console/:instance/links',
    query: ({ payment_link }) => `?at=${payment_link}`,
  },
  { name: 'link-new', route: '/console/:instance/links/new' },
  { name: 'link', route: '/console/:instance/links/:id', id: 'payment_link' },
  { name: 'link-edit', route: '/console/:instance/links/:id/edit', id: 'payment_link' },
  { name: 'deep-links', route: '/console/:instance/links/deep' },
  { name: 'deep-link', route: '/console/:instance/links/deep/:id', id: 'deep_link' },
  { name: 'deep-link-edit', route: '/console/:instance/links/deep/:id/edit', id: 'deep_link' },
  { name: 'payments', route: '/console/:instance/payments' },
  { name: 'payment', route: '/console/:instance/payments/:id', id: 'payment' },
  {
    name: 'payment-refund',
    route: '/console/:instance/payments/:id',
    id: 'payment',
    query: () => '?do=refund',
  },
  { name: 'refunds', route: '/console/:instance/refunds' },
  { name: 'captures', route: '/console/:instance/captures' },
  { name: 'voids', route: '/console/:instance/voids' },
  { name: 'customers', route: '/console/:instance/customers' },
  { name: 'customer', route: '/console/:instance/customers/:id', id: 'account' },
  { name: 'charges', route: '/console/:instance/charges' },
  { name: 'charge', route: '/console/:instance/charges/:id', id: 'charge' },
  { name: 'contracts', route: '/console/:instance/contracts' },
  { name: 'contract', route: '/console/:instance/contracts/:id', id: 'contract' },
  { name: 'checkouts', route: '/console/:instance/checkouts' },
  { name: 'checkout', route: '/console/:instance/checkouts/:id', id: 'checkout' },
  { name: 'wording', route: '/console/:instance/wording' },
  {
    name: 'wording-sentence',
    route: '/console/:instance/wording',
    query: () => '?state=form&id=checkout.pay&lang=fr&branding=kids',
  },
  {
    name: 'wording-files',
    route: '/console/:instance/wording',
    query: () => '?view=files&lang=fr',
  },
  {
    name: 'wording-table',
    route: '/console/:instance/wording',
    query: () => '?view=table&langs=de,fr,ar',
  },
  { name: 'wording-history', route: '/console/:instance/wording', query: () => '?view=history' },
  { name: 'look', route: '/console/:instance/look' },
  { name: 'look-branding', route: '/console/:instance/look/:branding', branding: 'kids' },
  { name: 'developers', route: '/console/:instance/developers' },
  { name: 'keys', route: '/console/:instance/developers/keys' },
  { name: 'key', route: '/console/:instance/developers/keys/:id', id: 'secret_key' },
  { name: 'webhooks', route: '/console/:instance/developers/webhooks' },
  { name: 'webhook', route: '/console/:instance/developers/webhooks/:id', id: 'webhook' },
  { name: 'deliveries', route: '/console/:instance/developers/deliveries' },
  { name: 'events', route: '/console/:instance/developers/events' },
  { name: 'event', route: '/console/:instance/developers/events/:id', id: 'event' },
  { name: 'platforms', route: '/console/:instance/developers/platforms' },
  { name: 'settings', route: '/console/:instance/settings' },
  ...['shop', 'money', 'languages', 'embedding', 'security'].map((page) => ({
    name: `settings-${page}`,
    route: '/console/:instance/settings/:page',
    page,
  })),
  { name: 'processors', route: '/console/:instance/settings/processors' },
  { name: 'entities', route: '/console/:instance/settings/entities' },
  { name: 'routes', route: '/console/:instance/settings/routes' },
  { name: 'users', route: '/console/:instance/settings/users' },
  { name: 'audit', route: '/console/:instance/settings/audit' },
  { name: 'me', route: '/console/me' },
]

/** Returns the path and query of a screen of the instance `default`. */
export function addressOf(
  { route, id, page, branding, query }: ConsoleScreen,
  ids: ShopIds,
): string {
  const path = route
    .replace(':instance', 'default')
    .replace(':page', page ?? '')
    .replace(':branding', branding ?? '')
    .replace(':id', id === undefined ? '' : ids[id])
  return path + (query?.(ids) ?? '')
}
