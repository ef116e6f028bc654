import { SCENES } from '../widget/gallery/scenes.ts'
import { enterScene } from '../widget/gallery/enter-scene.ts'
import { findOverflow } from '../widget/gallery/overflow.ts'
import { findShownIds } from '../widget/gallery/shown-ids.ts'
import { expect, expectAccessible, OWN_CONTEXT } from './fixtures.ts'
import { test } from './test.ts'

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
  'form-recurring',
  'live-presets-own',
  'live-quantity',
  'nothing-due',
  'live-charges-changed',
  'deep-link-exhausted',
  'deep-link-receipt',
  'task-add-too-many',
  'task-add-bank',
  'task-add-done',
  'task-in-use',
  'task-over',
  'task-contract-cancel',
  'task-contract-long',
  'task-contract-offline',
]

const LOOKS = [
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'dark', width: 390 },
  { scheme: 'light', width: 1280 },
] as const

for (const [n, name] of BRIEF_STATES.entries()) {
  for (const [m, { scheme, width }] of LOOKS.entries()) {
    // `npm test` checks every fourth state once, each in the next look.
    const isQuick = n % 4 === 0 && (n / 4) % LOOKS.length === m
    const tag = isQuick ? [] : ['@deep']
    if (SCENES[name]?.advanceMs) tag.push(OWN_CONTEXT)
    test(
      `${name} has no axe violations in ${scheme} at ${width} px`,
      { tag },
      async ({ gallery, page }) => {
        const scene = SCENES[name]
        if (scene === undefined) throw new Error('there is no such scene')
        gallery.show(scene)
        await page.setViewportSize({ width, height: 844 })
        await enterScene(page, gallery.url, scene)
        expect(await findShownIds(page)).toEqual([])
        await expectAccessible(page, scheme)
        await page.setViewportSize({ width: 320, height: 568 })
        expect(await page.evaluate(findOverflow)).toEqual([])
      },
    )
  }
}
