import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpClient } from '../test/client.ts'
import { openEntitiesClient } from '../test/legal-entities.ts'
import { newLink } from '../test/payer-client.ts'
import { startProgram } from '../test/program.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** Who is paid in law, on page and receipt. The server is the test's own: all its pages name one. */

const FRANCE = {
  legal_name: 'Atelier Nord SAS',
  country: 'FR',
  address: { line1: '12 rue des Lilas', line4: 'Lyon', line5: '69003', country: 'FR' },
}
const BRITAIN = {
  legal_name: 'Nord Trading Ltd',
  country: 'GB',
  registration_number: '01234567',
  registered_at: 'Companies House',
  tax_ids: [{ type: 'VAT', country: 'GB', value: 'GB123456789' }],
  email: 'hello@nord.example',
  url: 'https://nord.example/legal',
  terms_url: 'https://nord.example/terms',
  receipt_footer: 'Goods may be returned within 30 days.',
}

test('a page names the legal entity of its route, and a paid receipt keeps what it showed', async ({
  checkout,
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-entities-'))
  const program = await startProgram(`file:${join(folder, 'checkstand.db')}`)
  try {
    const merchant = createHttpClient(program.base)
    const { entity, route, change } = openEntitiesClient(merchant)
    const brandings = [{ key: 'kids', name: 'Kids', channels: ['kids-web'] }]
    await merchant.api('', { method: 'PUT', body: { instance: { brandings } } })
    await entity(FRANCE)
    const britain = await entity(BRITAIN)
    const kids = await entity({ legal_name: 'Nord Kids GmbH', country: 'DE' })
    const spain = await entity({ ...BRITAIN, legal_name: 'Nord Iberia SL', country: 'ES' })
    await route(britain.id, { when: { currency: ['GBP'] } })
    await route(kids.id, { when: { branding: ['kids'] } })
    await route(spain.id, { when: { currency: ['USD'], country: ['ES'] } })
    const footer = page.getByRole('contentinfo')
    const open = async (options: object) => {
      const link = await newLink(merchant, { amount: '24.00', ...options })
      await checkout.open(link.url)
      return link
    }

    await open({ currency: 'EUR' })
    await expect(footer).toContainText(/Atelier Nord SAS.*69003 Lyon, France/)
    await open({ currency: 'EUR', channel: 'kids-web' })
    await expect(footer).toContainText('Nord Kids GmbH')

    const link = await open({ currency: 'GBP' })
    await expect(footer).toContainText('Nord Trading Ltd')
    await expect(footer).toContainText('Registered: Companies House, 01234567')
    await expect(footer).toContainText('VAT number: GB123456789')
    await expect(footer).not.toContainText('Goods may be returned')
    await expect(footer.getByRole('link', { name: 'Terms and conditions' })).toHaveAttribute(
      'href',
      BRITAIN.terms_url,
    )
    await expectAccessible(page)
    // The page is open, so its payer is shown what it began with.
    await change(britain.id, { legal_name: 'Nord Renamed Ltd', receipt_footer: 'No returns.' })
    await checkout.payToReceipt()
    await expect(footer).toContainText('Nord Trading Ltd')
    await expect(footer).toContainText('Goods may be returned within 30 days.')
    await expectAccessible(page, 'dark')
    await change(britain.id, { legal_name: 'Nord Again Ltd', tax_ids: [] })
    // Also without the session of this browser.
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(link.url)
    await expect(checkout.receipt).toBeVisible()
    await expect(footer).toContainText('Nord Trading Ltd')
    await expect(footer).toContainText('VAT number: GB123456789')
    await open({ currency: 'GBP' })
    await expect(footer).toContainText('Nord Again Ltd')

    await open({ currency: 'USD' })
    await expect(footer).toHaveCount(0)
    await checkout.pay(CARDS.spain)
    await expect(checkout.receipt).toBeVisible()
    await expect(footer).toContainText('Nord Iberia SL')
    await expect(footer).toContainText('Registered: Companies House, 01234567')
    await expect(footer.getByRole('link', { name: 'Legal notice' })).toBeVisible()
  } finally {
    program.process.kill()
    await program.ended
    rmSync(folder, { recursive: true, force: true })
  }
})
