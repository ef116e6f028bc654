import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { test } from './test.ts'

/** Chunks run only if they match the hashes in the page (Subresource Integrity). */

/** Returns whether the page's import of each chunk ran. */
async function importChunks(page: Page): Promise<[string, boolean][]> {
  return page.evaluate(async () => {
    const map = document.querySelector('script[type=importmap]')?.textContent ?? '{}'
    const chunkUrls = Object.keys((JSON.parse(map) as { integrity: object }).integrity)
    return Promise.all(
      chunkUrls.map(async (url): Promise<[string, boolean]> => {
        const ran = await import(url).then(
          () => true,
          () => false,
        )
        return [url, ran]
      }),
    )
  })
}

test('a chunk that does not match its hash does not run', async ({ merchant, page }) => {
  const link = await merchant.createLink()
  await page.goto(link.url)
  const asBuilt = await importChunks(page)
  expect(asBuilt.length).toBeGreaterThan(4)
  expect(asBuilt.filter(([, ran]) => !ran)).toEqual([])

  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    const path = new URL(route.request().url()).pathname
    const isChunk = asBuilt.some(([url]) => url === path)
    const body = `${await response.text()}${isChunk ? '\n;globalThis.tampered = true' : ''}`
    await route.fulfill({ response, body })
  })
  await page.goto((await merchant.createLink()).url)
  const changed = await importChunks(page)
  expect(changed.map(([url]) => url)).toEqual(asBuilt.map(([url]) => url))
  expect(changed.filter(([, ran]) => ran)).toEqual([])
  expect(await page.evaluate(() => 'tampered' in globalThis)).toBe(false)
})
