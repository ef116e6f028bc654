import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../fixtures.ts'

/** What holds on every screen of the console, in every state. */

const DESK = { width: 1280, height: 800 }
/** A desktop of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 }

/** Collects what the page reports as an error; the status of a response is none. */
export function watchProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    problems.push(message.text())
  })
  return problems
}

/** Waits until a screen shows what it has to show. */
export async function untilDrawn(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('.skeleton, [aria-busy="true"]')).toHaveCount(0)
}

/** Expects that a screen fits a phone and a zoomed desktop, also from right to left. */
export async function expectFits(page: Page): Promise<void> {
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir)
    for (const size of [ZOOMED, DESK]) {
      await page.setViewportSize(size)
      expect(await page.evaluate(findBeyond), `${dir} at ${size.width} px`).toEqual([])
    }
  }
  await page.setViewportSize(ZOOMED)
  expect(await page.evaluate(findCovering), 'covers a zoomed window').toEqual([])
  await page.setViewportSize(DESK)
  await page.evaluate(() => document.documentElement.removeAttribute('dir'))
}

/** Expects that boundaries, the current place and the focus show without the colors of the page. */
export async function expectForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await page.evaluate(findIndistinct)).toEqual([])
  await page.keyboard.press('Tab')
  const outline = () =>
    page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)
  expect(await outline()).not.toBe('none')
  await page.emulateMedia({ forcedColors: 'none' })
}

/** Expects that nothing moves for a person who asked for that. */
export async function expectStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 80)),
    )
  await expect.poll(moving).toEqual([])
  await page.emulateMedia({ reducedMotion: null })
}

/** Expects all of it. */
export async function expectWhole(page: Page, problems: readonly string[]): Promise<void> {
  await untilDrawn(page)
  await expectAccessible(page)
  await expectFits(page)
  await expectForcedColors(page)
  await expectStill(page)
  expect(problems).toEqual([])
}

/** Returns what reaches beyond the window, outside of a box that scrolls. Runs in the page. */
function findBeyond(): string[] {
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider <= 0) return []
  const isBeyond = (element: Element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 1 && (right > innerWidth + 1 || left < -1)
  }
  const scrolls = (element: Element) => getComputedStyle(element).overflowX !== 'visible'
  const isWithinScroller = (element: Element): boolean => {
    const parent = element.parentElement
    return (
      parent !== null && parent !== document.body && (scrolls(parent) || isWithinScroller(parent))
    )
  }
  const beyond = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      isBeyond(element) &&
      !isWithinScroller(element),
  )
  const deepest = beyond.filter(
    (element) => !beyond.some((one) => element !== one && element.contains(one)),
  )
  return [`${wider} px wider`, ...deepest.map((element) => element.outerHTML.slice(0, 100))]
}

/** Returns the bars that stay in the window and take more than a third of it. Runs in the page. */
function findCovering(): string[] {
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { position, visibility } = getComputedStyle(element)
      if (!['fixed', 'sticky'].includes(position) || visibility === 'hidden') return false
      if (element.closest('dialog, .peek')) return false
      const { top, bottom, width } = element.getBoundingClientRect()
      const taken = Math.min(bottom, innerHeight) - Math.max(top, 0)
      return width > 1 && taken > innerHeight / 3
    })
    .map((element) => element.outerHTML.slice(0, 80))
}

/** Returns controls without an edge, and current places that look like the others. Runs in the page. */
function findIndistinct(): string[] {
  const isShown = (element: Element) =>
    element.clientWidth > 1 && element.checkVisibility({ visibilityProperty: true })
  const hasEdge = (element: Element) => {
    const { borderTopStyle, borderTopWidth, appearance } = getComputedStyle(element)
    return (borderTopStyle !== 'none' && borderTopWidth !== '0px') || appearance !== 'none'
  }
  const look = (element: Element) => {
    const { outlineStyle, borderBottomColor, backgroundColor } = getComputedStyle(element)
    return [outlineStyle, borderBottomColor, backgroundColor].join(' ')
  }
  const controls = [...document.querySelectorAll('.button, input, select, textarea')]
  const current = [...document.querySelectorAll('[aria-current]')]
  return [
    ...controls.filter((element) => isShown(element) && !hasEdge(element)),
    ...current.filter((element) => {
      const others = [...(element.closest('nav')?.querySelectorAll('a') ?? [])]
      const other = others.find((one) => one !== element)
      return isShown(element) && other !== undefined && look(other) === look(element)
    }),
  ].map((element) => element.outerHTML.slice(0, 120))
}
