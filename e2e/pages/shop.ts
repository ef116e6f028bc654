import type { Page } from '@playwright/test'
import type { Link } from '../fixtures.ts'
import type { MountedCheckout } from '../../widget/embed/index.ts'
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers -- for the type of the global name only
import type {} from '../../widget/embed/script.ts'

/** Records every event of the embed script in order. */
export const RECORDER = `
window.recordedEvents = []
for (const type of ['ready', 'resize', 'status', 'action', 'complete', 'close', 'error']) {
  addEventListener('checkstand:' + type, (event) => {
    recordedEvents.push({ type, detail: event.detail, at: event.target.id })
  })
}`

interface RecordedEvent {
  type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a journey looks into details freely
  detail: any
  /** The id of the event's target. */
  at: string
}

/** Returns a shop's page with `content` in its middle, which records the events of its checkouts. */
export function shopPage(content: string, head = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Roastery</title>
<style>body { font: 1rem/1.5 Georgia, serif; margin: 0 } main { max-width: 45rem; margin: auto }</style>
<script>${RECORDER}</script>${head}
<main><h1>Roastery</h1><p>Two bags of espresso roast.</p>${content}<p>Ready in three days.</p></main>
</html>`
}

/** Returns an element that the embed script mounts a checkout in. */
export const inline = ({ id, url }: Link, place = 'place') =>
  `<div id="${place}" data-checkstand-link="${id}"><a href="${url}">Pay online</a></div>`

/** Returns a link that the embed script opens in a dialog. */
export const opener = ({ url }: Link) =>
  `<a id="opener" data-checkstand="overlay" href="${url}">Pay now</a>`

/** Returns the recorded events except `resize`. */
export async function recordedEvents(page: Page): Promise<RecordedEvent[]> {
  const all = await page.evaluate(
    () => (window as unknown as { recordedEvents: RecordedEvent[] }).recordedEvents,
  )
  return all.filter(({ type }) => type !== 'resize')
}

/** Returns the heights of the recorded `resize` events, in CSS pixels. */
export async function heights(page: Page): Promise<number[]> {
  const all = await page.evaluate(
    () => (window as unknown as { recordedEvents: RecordedEvent[] }).recordedEvents,
  )
  return all.filter(({ type }) => type === 'resize').map(({ detail }) => detail.height as number)
}

/** Returns the detail of the last event of a type, or undefined. */
export async function lastDetail(page: Page, type: string): Promise<unknown> {
  return (await recordedEvents(page)).findLast((event) => event.type === type)?.detail
}

declare global {
  interface Window {
    /** The records of a test's own listeners. */
    records: string[]
    shop: MountedCheckout
  }
}
