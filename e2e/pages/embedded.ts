import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { Checkout } from './checkout.ts'

/**
 * Closes the dialog with Escape. Chromium does not always acknowledge a key that removes the frame with
 * the focus, so this awaits the closed dialog, not the key.
 */
export async function escape(page: Page): Promise<void> {
  page.keyboard.press('Escape').catch(() => undefined)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** A checkout in a shop's page. */
export class EmbeddedCheckout extends Checkout<FrameLocator> {
  readonly element: Locator

  /** `n` is its index among the checkouts of the page. */
  constructor(page: Page, n = 0) {
    const element = page.locator('iframe[sandbox]').nth(n)
    super(element.contentFrame())
    this.element = element
  }

  /** Returns whether the browser blocks storage in the frame. */
  async storageIsBlocked(): Promise<boolean> {
    return this.place.locator('body').evaluate(() => {
      try {
        return sessionStorage.length < 0
      } catch {
        return true
      }
    })
  }

  /** Returns whether the content of the frame overflows it. */
  async scrolls(): Promise<boolean> {
    return this.place
      .locator('html')
      .evaluate((html) => html.scrollHeight > html.clientHeight || html.scrollWidth > innerWidth)
  }

  /** CSS pixels. */
  async height(): Promise<number> {
    return (await this.element.boundingBox())?.height ?? 0
  }
}
