import { expect } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { shopPage } from './pages/shop.ts'
import { test } from './shop-fixtures.ts'

/** The permissions of the payment page's frame in a shop. */

test('the frame has only the permissions that a payment needs', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const html = `<div data-checkstand-link="${link.id}"><a href="${link.url}">Pay</a></div>`
  await page.goto(front.origin + front.page(shopPage(embedScript + html)))
  const { element, payButton } = new EmbeddedCheckout(page)
  await expect(payButton).toBeVisible()
  const attribute = (name: string) => element.getAttribute(name)
  expect((await attribute('sandbox'))?.split(' ').toSorted()).toEqual([
    'allow-forms',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-same-origin',
    'allow-scripts',
    'allow-top-navigation-by-user-activation',
  ])
  expect(await attribute('allow')).toBe('payment *; clipboard-write')
  expect(await attribute('referrerpolicy')).toBe('origin')
})
