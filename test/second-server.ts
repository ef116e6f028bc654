import { createApp } from '../server/app.ts'
import type { Deps } from '../server/deps.ts'
import { type Client, createCaller, merchantApi, type MerchantClient } from './client.ts'
import type { Merchant, TestApp } from './app.ts'

/** A server as one merchant and its payers use it, and what its jobs run on. */
export interface Server extends Client, MerchantClient {
  deps: Deps
}

/** Returns what opens a second server in the same process, of which parts are others. */
export function secondServer(app: TestApp, changes: Partial<Deps>): (merchant: Merchant) => Server {
  const deps: Deps = { ...app.checkstand.deps, ...changes }
  const { app: server } = createApp(deps, app.checkstand.parts)
  const call = createCaller({ fetch: server.fetch })
  return (merchant) => ({ deps, call, api: merchantApi(call, merchant) })
}

/** Returns the ordinary server. */
export function serverFor({ checkstand, call }: TestApp, { api }: Merchant): Server {
  return { deps: checkstand.deps, call, api }
}
