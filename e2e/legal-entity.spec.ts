import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiResponse, createHttpClient } from '../test/client.ts'
import { startProgram } from '../test/program.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** Who is paid in law, on page and receipt. The server is the test's own: all its pages name one. */

type Json = ApiResponse['json']

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

test(
  'a page names the legal entity of its route, and a paid receipt keeps what it showed',
  { tag: '@deep' },
  async ({ checkout, page }) => {
    const folder = mkdtempSync(join(tmpdir(), 'checkstand-entities-'))
    const program = await startProgram(`file:${join(folder, 'checkstand.db')}`)
    try {
      const { api } = createHttpClient(program.base)
      const send = async (path: string, body: object, method = 'POST'): Promise<Json> => {
        const { status, text, json } = await api(path, { method, body })
        expect(status, text).toBe(200)
        return json
      }
      const entity = async (legal_entity: object): Promise<string> =>
        (await send('/legal_entities', { legal_entity })).legal_entity.id
      const change = (id: string, legal_entity: object) =>
        send(`/legal_entities/${id}`, { legal_entity }, 'PUT')
      const route = (legal_entity: string, when: object) =>
        send('/legal_entity_routes', { legal_entity_route: { legal_entity, when } })
      const brandings = [{ key: 'kids', name: 'Kids', channels: ['kids-web'] }]
      await send('', { instance: { brandings } }, 'PUT')
      await entity(FRANCE)
      const britain = await entity(BRITAIN)
      const kids = await entity({ legal_name: 'Nord Kids GmbH', country: 'DE' })
      const spain = await entity({ ...BRITAIN, legal_name: 'Nord Iberia SL', tax_ids: [] })
      await route(britain, { currency: ['GBP'] })
      await route(kids, { branding: ['kids'] })
      await route(spain, { currency: ['USD'], country: ['ES'] })
      const footer = page.getByRole('contentinfo')
      const open = async (more: object): Promise<string> => {
        const options = { amount: '24.00', ...more }
        const { url } = (await send('/payment_links', { payment_link: { options } })).payment_link
        await checkout.open(url)
        return url
      }

      await open({ currency: 'EUR' })
      await expect(footer).toContainText(/Atelier Nord SAS.*69003 Lyon, France/)
      await open({ currency: 'EUR', channel: 'kids-web' })
      await expect(footer).toContainText('Nord Kids GmbH')

      const url = await open({ currency: 'GBP' })
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
      await change(britain, { legal_name: 'Nord Renamed Ltd', receipt_footer: 'No returns.' })
      await checkout.payToReceipt()
      await expect(footer).toContainText('Nord Trading Ltd')
      await expect(footer).toContainText('Goods may be returned within 30 days.')
      await expectAccessible(page, 'dark')
      await change(britain, { legal_name: 'Nord Again Ltd', tax_ids: [] })
      // Also without the session of this browser.
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(url)
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
  },
)
