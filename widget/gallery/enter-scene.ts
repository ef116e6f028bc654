import type { Page } from '@playwright/test'
import { type PageOrFrame, type Scene, START_TIME } from './scene.ts'

/** The longest that a step of a scene may take. */
export const TIMEOUT_MS = 20_000

/** Brings the page into the state of a scene. */
export async function enterScene(page: Page, url: string, scene: Scene): Promise<void> {
  if (scene.advanceMs) await page.clock.install({ time: START_TIME })
  await page.goto(url)
  if (scene.framed === 'overlay') await page.locator('.buy').click()
  const place = scene.framed ? page.frameLocator('iframe') : page
  if (scene.script === undefined) await place.locator('.delayed').waitFor({ state: 'detached' })
  await scene.act?.(place)
  if (scene.until === undefined) await place.locator('h1').first().waitFor()
  else if (scene.advanceMs) await runUntil(page, place, scene)
  // Delayed notices appear at once.
  await page.evaluate(finishAnimations)
  if (scene.until !== undefined) await place.locator(scene.until).first().waitFor()
}

function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    const ends = Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))
    if (ends) animation.finish()
  }
}

/** Advances the page's timers; requests take real time. */
async function runUntil(
  page: Page,
  place: PageOrFrame,
  { until = '', advanceMs = 0 }: Scene,
): Promise<void> {
  const end = Date.now() + TIMEOUT_MS
  while (!(await place.locator(until).first().isVisible()) && Date.now() < end) {
    await page.clock.runFor(advanceMs)
  }
}
