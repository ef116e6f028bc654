import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Chunks run only if they match the hashes in the page (Subresource Integrity). */

/** Returns whether the page's import of each chunk ran. */
async function importParts(page: Page): Promise<[string, boolean][]> {
  return page.evaluate(async () => {
    const map = document.querySelector('script[type=importmap]')?.textContent ?? '{}'
    const parts = Object.keys((JSON.parse(map) as { integrity: object }).integrity)
    return Promise.all(
      parts.map(async (part): Promise<[string, boolean]> => {
        const ran = await import(part).then(
          () => true,
          () => false,
        )
        return [part, ran]
      }),
    )
  })
}

test('a chunk that does not match its hash does not run', async ({ merchant, page }) => {
  const link = await merchant.createLink()
  await page.goto(link.url)
  const asBuilt = await importParts(page)
  expect(asBuilt.length).toBeGreaterThan(4)
  expect(asBuilt.filter(([, ran]) => !ran)).toEqual([])

  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    const path = new URL(route.request().url()).pathname
    const isPart = asBuilt.some(([part]) => part === path)
    const body = `${await response.text()}${isPart ? '\n;globalThis.tampered = true' : ''}`
    await route.fulfill({ response, body })
  })
  await page.goto((await merchant.createLink()).url)
  const changed = await importParts(page)
  expect(changed.map(([part]) => part)).toEqual(asBuilt.map(([part]) => part))
  expect(changed.filter(([, ran]) => ran)).toEqual([])
  expect(await page.evaluate(() => 'tampered' in globalThis)).toBe(false)
})
