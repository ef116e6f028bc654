import type { Locator, Page } from '@playwright/test'

/** The payment page, located by accessible names. */
export class CheckoutPage {
  readonly page: Page
  readonly payButton: Locator
  readonly cardNumber: Locator
  readonly expiry: Locator
  readonly securityCode: Locator
  readonly alert: Locator

  constructor(page: Page) {
    this.page = page
    this.payButton = page.getByRole('button', { name: /^Pay(ing)? / })
    this.cardNumber = page.getByLabel('Card number')
    this.expiry = page.getByLabel('Expiry date')
    this.securityCode = page.getByLabel('Security code')
    this.alert = page.getByRole('alert')
  }

  /** Opens a link and waits until the page's script has opened its session. */
  async open(url: string): Promise<void> {
    const opened = this.page.waitForResponse((response) => response.url().endsWith('/checkouts'))
    await this.page.goto(url)
    await opened
  }

  async fillCard(number: string, code = '123'): Promise<void> {
    await this.cardNumber.fill(number)
    await this.expiry.fill('1234')
    await this.securityCode.fill(code)
  }

  async pay(number: string): Promise<void> {
    await this.fillCard(number)
    await this.payButton.click()
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name })
  }
}
