// What the routes share: the client, and the orders of the shop.
import { Checkstand } from 'checkstand-client'

export interface Order {
  link: string
  isPaid: boolean
}

// Next.js loads a module once for each kind of route. A shop has a database in place of the map.
const own = globalThis as { orders?: Map<string, Order> }
export const orders = (own.orders ??= new Map<string, Order>())

/** Made when a request asks for it, since a build has no settings. */
export const checkstand = () =>
  new Checkstand({
    baseUrl: process.env.CHECKSTAND_URL ?? 'http://localhost:4242',
    key: process.env.CHECKSTAND_KEY,
  })
