import type { BrowserContext, Page } from '@playwright/test'
import { type ShopIds, seedShop } from '../../console/gallery/seed-shop.ts'
import { createHttpClient, merchantApi } from '../../test/client.ts'
import { newShop } from '../oauth-fixtures.ts'
import { openConsole } from './fixtures.ts'

/** A shop with records of every kind, and one without any. */
interface Shop {
  email: string
  ids: ShopIds
}

let full: Promise<Shop> | undefined
let empty: Promise<Shop> | undefined

/** Returns the shop with records of this worker, which is made once. */
export const fullShop = (baseURL: string): Promise<Shop> => (full ??= makeShop(baseURL))

/** Returns a shop of this worker that has sold nothing; its ids name no record. */
export const emptyShop = (): Promise<Shop> =>
  (empty ??= newShop().then(({ email }) => ({ email, ids: {} as ShopIds })))

async function makeShop(baseURL: string): Promise<Shop> {
  const { email, secretKey } = await newShop()
  const client = createHttpClient(baseURL)
  const api = merchantApi(client.call, { instance: { key: 'default' }, secretKey })
  return { email, ids: await seedShop({ client, api }) }
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
const sessions = new Map<string, Cookies>()

/** Opens an address as a user, who signs in once a worker. */
export async function openAs(page: Page, email: string, address: string): Promise<void> {
  const known = sessions.get(email)
  if (known) {
    await page.context().addCookies(known)
    await page.goto(address)
  } else {
    await openConsole(page, email, address)
    sessions.set(email, await page.context().cookies())
  }
}
