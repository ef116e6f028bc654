import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { CARDS } from '../../test/cards.ts'

/** A checkout in a window or in a shop's frame, located by accessible names. */
export class Checkout<Place extends Page | FrameLocator> {
  readonly place: Place
  readonly payButton: Locator
  readonly cardNumber: Locator
  readonly securityCode: Locator
  readonly alert: Locator
  /** The heading of the receipt. */
  readonly receipt: Locator

  constructor(place: Place) {
    this.place = place
    this.payButton = place.getByRole('button', { name: /^Pay(ing)? / })
    this.cardNumber = place.getByLabel('Card number')
    this.securityCode = place.getByLabel('Security code')
    this.alert = place.getByRole('alert')
    this.receipt = this.heading('Payment complete')
  }

  async fillCard(number: string = CARDS.approve): Promise<void> {
    await this.cardNumber.fill(number)
    await this.place.getByLabel('Expiry date').fill('1234')
    await this.securityCode.fill('123')
  }

  async pay(number: string = CARDS.approve): Promise<void> {
    await this.fillCard(number)
    await this.payButton.click()
  }

  /** Pays with a card that is approved. */
  async payToReceipt(): Promise<void> {
    await this.pay()
    await expect(this.receipt).toBeVisible()
  }

  /** Presses a button of the bank's page. */
  async answerBank(choice: 'Approve' | 'Decline'): Promise<void> {
    await this.place.getByRole('button', { name: choice }).click()
  }

  heading(name: string | RegExp): Locator {
    return this.place.getByRole('heading', { name })
  }
}

/** The payment page in a window of its own. */
export class CheckoutPage extends Checkout<Page> {
  /** Opens a link and waits until the page's script has opened its session. */
  async open(url: string): Promise<void> {
    const opened = this.place.waitForResponse((response) => response.url().endsWith('/checkouts'))
    await this.place.goto(url)
    await opened
  }
}
