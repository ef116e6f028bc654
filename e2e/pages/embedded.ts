import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'

/**
 * Closes the dialog with Escape. Chromium does not always acknowledge a key that removes the frame with
 * the focus, so this awaits the closed dialog, not the key.
 */
export async function escape(page: Page): Promise<void> {
  page.keyboard.press('Escape').catch(() => undefined)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** A checkout in a shop's page, located by accessible names. */
export class EmbeddedCheckout {
  readonly element: Locator
  readonly frame: FrameLocator
  readonly payButton: Locator
  readonly cardNumber: Locator
  readonly alert: Locator

  /** `n` is its index among the checkouts of the page. */
  constructor(page: Page, n = 0) {
    this.element = page.locator('iframe[sandbox]').nth(n)
    this.frame = this.element.contentFrame()
    this.payButton = this.frame.getByRole('button', { name: /^Pay(ing)? / })
    this.cardNumber = this.frame.getByLabel('Card number')
    this.alert = this.frame.getByRole('alert')
  }

  async fillCard(number: string): Promise<void> {
    await this.cardNumber.fill(number)
    await this.frame.getByLabel('Expiry date').fill('1234')
    await this.frame.getByLabel('Security code').fill('123')
  }

  async pay(number: string): Promise<void> {
    await this.fillCard(number)
    await this.payButton.click()
  }

  heading(name: string | RegExp): Locator {
    return this.frame.getByRole('heading', { name })
  }

  /** Returns whether the browser blocks storage in the frame. */
  async storageIsBlocked(): Promise<boolean> {
    return this.frame.locator('body').evaluate(() => {
      try {
        return sessionStorage.length < 0
      } catch {
        return true
      }
    })
  }

  /** Returns whether the content of the frame overflows it. */
  async scrolls(): Promise<boolean> {
    return this.frame
      .locator('html')
      .evaluate((html) => html.scrollHeight > html.clientHeight || html.scrollWidth > innerWidth)
  }

  /** CSS pixels. */
  async height(): Promise<number> {
    return (await this.element.boundingBox())?.height ?? 0
  }
}
