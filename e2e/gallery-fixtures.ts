import type { Gallery } from '../widget/gallery/serve.ts'
import { test as base } from './fixtures.ts'

/** Tests with a server of the gallery's scenes. */
export const test = base.extend<object, { gallery: Gallery }>({
  gallery: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      // Most workers show no scene, and its modules take a while to load.
      const { serveGallery } = await import('../widget/gallery/serve.ts')
      const gallery = await serveGallery()
      await use(gallery)
      await gallery.close()
    },
    { scope: 'worker' },
  ],
})
