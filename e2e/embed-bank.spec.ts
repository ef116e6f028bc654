import { CARDS, expect } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { recordedEvents, inline, lastDetail, shopPage } from './pages/shop.ts'
import { test } from './shop-fixtures.ts'

/** Bank challenges in an embedded checkout. */

test.describe.configure({ timeout: 60_000 })

test('3-D Secure opens in the frame and returns to it', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const thanks = front.page(shopPage('<h2>Thank you!</h2>'))
  const success_url = front.origin + thanks
  const link = await merchant.createLink({ amount: '24.00', success_url, skip_receipt: true })
  const prevent = `<script>addEventListener('checkstand:complete', (e) => e.preventDefault())</script>`
  await page.goto(front.origin + front.page(shopPage(prevent + embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.fillCard(CARDS.challenge)
  await expect.poll(() => checkout.scrolls()).toBe(false)
  const form = await checkout.height()
  await checkout.payButton.click()
  await checkout.frame.getByRole('button', { name: 'Approve' }).click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect
    .poll(() => lastDetail(page, 'complete'))
    .toMatchObject({
      payment_link: link.id,
      status: 'COMPLETED',
      transaction: (await merchant.readLink(link.id)).transaction,
      redirect: expect.stringContaining(success_url),
    })
  expect(await lastDetail(page, 'action')).toMatchObject({ top: false })
  await expect.poll(() => checkout.height()).toBeLessThan(form)
})

test('a declined challenge returns the payer to the form in the frame', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.challenge)
  await checkout.frame.getByRole('button', { name: 'Decline' }).click()
  await expect(checkout.alert).toContainText('Your bank could not confirm that it was you')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect.poll(() => lastDetail(page, 'complete')).toMatchObject({ status: 'COMPLETED' })
})

test('a bank that may not be framed opens in the window, and the payer returns to the shop', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const thanks = front.page(shopPage('<h2>Thank you!</h2>'))
  const pending_url = front.origin + thanks
  const link = await merchant.createLink({ amount: '24.00', pending_url, skip_receipt: true })
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.frame.getByLabel('Pay by bank').check()
  await checkout.payButton.click()
  await expect(page.getByRole('heading', { name: 'Confirm this transfer' })).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
  expect(page.url()).toContain(`${pending_url}?payment_link=${link.id}&status=PENDING`)
})

test('a shop may open the bank itself, and the frame shows the outcome', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const own = `<script>addEventListener('checkstand:action', (event) => {
    event.preventDefault()
    document.querySelector('#bank').href = event.detail.url
  })</script><a id="bank" target="_blank">To my bank</a>`
  await page.goto(front.origin + front.page(shopPage(own + embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.frame.getByLabel('Pay by bank').check()
  await checkout.payButton.click()
  await expect(checkout.heading('Confirm with your bank')).toBeVisible()
  const tab = page.context().waitForEvent('page')
  await page.getByText('To my bank').click()
  const bank = await tab
  await bank.getByRole('button', { name: 'Approve' }).click()
  await bank.getByRole('heading', { name: /Payment/ }).waitFor()
  await expect(checkout.heading('Payment complete')).toBeVisible({ timeout: 20_000 })
  const ended = (await recordedEvents(page)).filter(({ type }) => type === 'complete')
  expect(ended.at(-1)?.detail).toMatchObject({ status: 'COMPLETED' })
})

test('the link to the bank leaves the frame on a click', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const prevent = `<script>addEventListener('checkstand:action', (e) => e.preventDefault())</script>`
  await page.goto(front.origin + front.page(shopPage(prevent + embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.frame.getByLabel('Pay by bank').check()
  await checkout.payButton.click()
  await checkout.frame.getByRole('link', { name: 'Continue to your bank' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm this transfer' })).toBeVisible()
})
