import type { Page } from '@playwright/test'

const LIVE = '[role=alert], [role=status], output, [aria-live=polite]'

/** Records what live regions say from now on, in `window.records`, as `role: the beginning`. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.evaluate((live) => {
    window.records = []
    for (const region of document.querySelectorAll<HTMLElement>(live)) {
      new MutationObserver(() => {
        const text = region.innerText.trim()
        if (text !== '') window.records.push(`${region.role ?? 'live'}: ${text.slice(0, 24)}`)
      }).observe(region, { childList: true, subtree: true, characterData: true })
    }
  }, LIVE)
}
