import { SCENES } from '../widget/gallery/scenes.ts'
import { type Gallery, serveGallery } from '../widget/gallery/serve.ts'
import { enterScene } from '../widget/gallery/visit.ts'
import { test as base, expect, expectAccessible } from './fixtures.ts'

/**
 * States that are too brief for axe in other tests. `npm run gallery` checks every state in each size
 * and language.
 */

const BRIEF_STATES = [
  'form-long',
  'live-no-connection',
  'live-no-methods',
  'live-paying-slow',
  'live-remove-saved',
  'live-test-cards',
  'live-to-bank',
  'live-to-merchant',
  'live-unconfirmed',
  'script-missing',
  'themed-surface',
]

const test = base.extend<object, { gallery: Gallery }>({
  gallery: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const gallery = await serveGallery()
      await use(gallery)
      await gallery.close()
    },
    { scope: 'worker' },
  ],
})

for (const name of BRIEF_STATES) {
  test(`${name} has no axe violations in light and dark`, async ({ gallery, page }) => {
    const scene = SCENES[name]
    if (scene === undefined) throw new Error('there is no such scene')
    gallery.show(scene)
    await enterScene(page, gallery.url, scene)
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 568 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
}
