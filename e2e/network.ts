import type { Page, Route } from '@playwright/test'

/** Requests of a page that wait or get lost. */

/** Holds requests to a URL, or the next `times`, until `release` is called. */
export async function hold(
  page: Page,
  url: string | RegExp,
  options: { times?: number } = {},
): Promise<{ requested: Promise<void>; release: () => void }> {
  const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const wait = async (route: Route) => {
    markRequested()
    await held
    await route.continue()
  }
  await page.route(url, wait, options)
  return { requested, release }
}

/** Breaks the connection of the next `times` requests to a URL. Returns how many came so far. */
export async function lose(page: Page, url: string, times = 1): Promise<() => number> {
  let requests = 0
  await page.route(url, (route) => {
    requests += 1
    return requests <= times ? route.abort('connectionreset') : route.continue()
  })
  return () => requests
}
