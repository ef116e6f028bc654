import { expect } from './fixtures.ts'
import { inline, lastDetail } from './pages/shop.ts'
import { test } from './test.ts'

/** Links that many payers use, and amounts that payers choose, in a merchant's page. */

test(
  'payers choose presets and a quantity in a merchant’s page',
  { tag: '@deep' },
  async ({ api, embed, framed, page, visit }) => {
    const options = { name: 'Library fund', amount_presets: ['5.00', '10.00'], amount_min: '2.00' }
    const { deep_link } = await api('/deep_links', {
      body: { deep_link: { action: 'PAY', options } },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(inline(deep_link))
    await framed.place.getByRole('radio', { name: 'Other amount' }).check()
    await framed.place.locator('#field-amount').fill('1')
    await framed.pay()
    await expect(framed.place.locator('#field-amount-error')).toBeInViewport()
    // The field and its error have made the content higher.
    await expect.poll(() => framed.scrolls()).toBe(false)
    await framed.place.getByRole('radio', { name: '€5.00' }).check()
    await framed.payToReceipt()
    const { payment_links } = await api(`/deep_links/${deep_link.id}/payment_links?expand=payment`)
    expect(payment_links).toMatchObject([{ payment: { amount: '5.00', status: 'SUCCESS' } }])

    const link = await embed({ unit_amount: '12.50', quantity_max: 4, name: 'Concert' })
    await framed.place.getByRole('button', { name: 'One more' }).click()
    await expect(framed.place.getByRole('button', { name: 'Pay €25.00' })).toBeVisible()
    await expect.poll(() => framed.scrolls()).toBe(false)
    await framed.payToReceipt()
    await expect.poll(() => lastDetail(page, 'complete')).toMatchObject({ status: 'COMPLETED' })
    expect((await link.read('payment')).payment).toMatchObject({ amount: '25.00', quantity: 2 })
  },
)
