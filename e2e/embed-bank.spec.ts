import { CARDS, expect } from './fixtures.ts'
import { inline, lastDetail, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** Bank challenges in an embedded checkout. */

const prevent = (event: string) =>
  `<script>addEventListener('checkstand:${event}', (e) => e.preventDefault())</script>`

test('3-D Secure opens in the frame and returns to it, and a shop may prevent the redirect', async ({
  embed,
  framed,
  front,
  page,
}) => {
  const success_url = front.origin + front.page(shopPage('<h2>Thank you!</h2>'))
  const link = await embed(
    { amount: '24.00', success_url, skip_receipt: true },
    (made) => prevent('complete') + inline(made),
  )
  await framed.fillCard(CARDS.challenge)
  await expect.poll(() => framed.scrolls()).toBe(false)
  const form = await framed.height()
  await framed.payButton.click()
  await framed.answerBank('Approve')
  await expect(framed.receipt).toBeVisible()
  await expect
    .poll(() => lastDetail(page, 'complete'))
    .toMatchObject({
      payment_link: link.id,
      status: 'COMPLETED',
      transaction: (await link.read()).transaction,
      redirect: expect.stringContaining(success_url),
    })
  expect(await lastDetail(page, 'action')).toMatchObject({ top: false })
  await expect.poll(() => framed.height()).toBeLessThan(form)
  await framed.place.getByRole('link', { name: /Return to/ }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
  expect(page.url()).toContain(`${success_url}?payment_link=${link.id}&status=COMPLETED`)
})

test(
  'a declined challenge returns the payer to the form in the frame',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await embed()
    await framed.pay(CARDS.challenge)
    await framed.answerBank('Decline')
    await expect(framed.alert).toContainText('Your bank could not confirm that it was you')
    await framed.payToReceipt()
    await expect.poll(() => lastDetail(page, 'complete')).toMatchObject({ status: 'COMPLETED' })
  },
)

test(
  'a bank that may not be framed opens in the window, and the payer returns to the shop',
  { tag: '@deep' },
  async ({ embed, framed, front, page }) => {
    const pending_url = front.origin + front.page(shopPage('<h2>Thank you!</h2>'))
    const link = await embed({ amount: '24.00', pending_url, skip_receipt: true })
    await framed.place.getByLabel('Pay by bank').check()
    await framed.payButton.click()
    await expect(page.getByRole('heading', { name: 'Confirm this transfer' })).toBeVisible()
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText('Thank you!')).toBeVisible()
    expect(page.url()).toContain(`${pending_url}?payment_link=${link.id}&status=PENDING`)
  },
)

test(
  'a shop may open the bank itself, and the frame shows the outcome',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const own = `<script>addEventListener('checkstand:action', (event) => {
    event.preventDefault()
    document.querySelector('#bank').href = event.detail.url
  })</script><a id="bank" target="_blank">To my bank</a>`
    await embed(undefined, (link) => own + inline(link))
    await framed.place.getByLabel('Pay by bank').check()
    await framed.payButton.click()
    await expect(framed.heading('Confirm with your bank')).toBeVisible()
    const tab = page.context().waitForEvent('page')
    await page.getByText('To my bank').click()
    const bank = await tab
    await bank.getByRole('button', { name: 'Approve' }).click()
    await bank.getByRole('heading', { name: /Payment/ }).waitFor()
    await expect(framed.receipt).toBeVisible()
    const ended = (await recordedEvents(page)).filter(({ type }) => type === 'complete')
    expect(ended.at(-1)?.detail).toMatchObject({ status: 'COMPLETED' })
  },
)

test(
  'the link to the bank leaves the frame on a click',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await embed(undefined, (link) => prevent('action') + inline(link))
    await framed.place.getByLabel('Pay by bank').check()
    await framed.payButton.click()
    await framed.place.getByRole('link', { name: 'Continue to your bank' }).click()
    await expect(page.getByRole('heading', { name: 'Confirm this transfer' })).toBeVisible()
  },
)
