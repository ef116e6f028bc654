import { expect } from './fixtures.ts'
import { inline } from './pages/shop.ts'
import { test } from './test.ts'

/** Links that many payers use. */

const POSTER = { name: 'Library fund', amount_presets: ['5.00', '10.00'], currency: 'EUR' }

test(
  'a deep link is paid in a merchant’s page',
  { tag: '@deep' },
  async ({ api, framed, visit }) => {
    const body = { deep_link: { action: 'PAY', options: POSTER } }
    const { deep_link } = await api('/deep_links', { body })
    await visit(inline(deep_link))
    await framed.place.getByRole('radio', { name: '€5.00' }).check()
    await framed.payToReceipt()
    expect((await api(`/deep_links/${deep_link.id}`)).deep_link.uses).toBe(1)
  },
)
