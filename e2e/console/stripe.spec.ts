import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpClient } from '../../test/client.ts'
import { type Program, startProgram } from '../../test/program.ts'
import { deliver, noticeOf } from '../../test/stripe-fake/deliver.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { serveStripeScript } from '../../test/stripe-fake/serve-script.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { expect, expectAccessible, OWN_CONTEXT } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { CheckoutPage } from '../pages/checkout.ts'
import { fillCard } from '../stripe-fixtures.ts'
import { test } from '../test.ts'
import { openConsole } from './fixtures.ts'

const EMAIL = 'ada@shop.example'

test(
  'a merchant connects Stripe in the console, and a payer pays through it',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ page, context }) => {
    const folder = mkdtempSync(join(tmpdir(), 'checkstand-connect-'))
    const fake = await startStripeFake()
    const { scriptUrl, close: closeScript } = await serveStripeScript(fake.url)
    let program: Program | undefined
    /** Stripe can reach the first server by its address, and the browser the second one. */
    const start = (address: Record<string, string> | ((port: number) => Record<string, string>)) =>
      startProgram(`file:${join(folder, 'checkstand.db')}`, (port) => ({
        ...stripeEnvironment(fake, scriptUrl),
        CHECKSTAND_ADMIN_EMAIL: EMAIL,
        CHECKSTAND_ADMIN_PASSWORD: PASSWORD,
        ...(typeof address === 'function' ? address(port) : address),
      }))
    const stop = async () => {
      program?.process.kill()
      await program?.ended
    }
    try {
      program = await start((port) => ({
        BASE_URL: 'http://pay.shop.example',
        CONSOLE_URL: `http://localhost:${port}`,
      }))
      const consoleUrl = program.base.replace('127.0.0.1', 'localhost')
      await openConsole(page, EMAIL, `${consoleUrl}/console/default/settings/processors`)
      const dialog = page.getByRole('dialog')
      const connect = async (secret: string) => {
        await dialog.getByLabel('Secret key').fill(secret)
        await dialog.getByLabel('Publishable key').fill(fake.publishableKey)
        await dialog.getByRole('button', { name: 'Connect' }).click()
      }
      await page.getByRole('button', { name: 'Connect Stripe' }).click()
      await connect('sk_test_51Unknown000000000000000000')
      await expect(dialog.getByRole('alert')).toContainText('Stripe does not accept the secret key')
      await connect(fake.secretKey)
      const card = page.getByRole('article', { name: 'Stripe' })
      await expect(card).toContainText('Active')
      await expect(card).toContainText('Set up')
      await expectAccessible(page)
      const [endpoint] = fake.account.endpoints.values()
      expect(endpoint).toMatchObject({ url: expect.stringContaining('http://pay.shop.example/') })
      await card.getByRole('button', { name: 'Check' }).click()
      await expect(page.getByText('Stripe accepts the key')).toBeVisible()
      await stop()

      program = await start({})
      await openConsole(page, EMAIL, `${program.base}/console/default/links/new`)
      await page.getByLabel('What for').fill('Two bags of coffee')
      await page.getByRole('textbox', { name: 'Amount' }).fill('24')
      await page.getByRole('button', { name: 'Create link' }).click()
      const url = await page.getByLabel('Address for the payer').inputValue()
      const payer = await context.newPage()
      await payer.goto(url)
      const checkout = new CheckoutPage(payer)
      await fillCard(checkout)
      await checkout.payButton.click()
      await expect(checkout.receipt).toBeVisible()
      await payer.close()
      expect([...fake.taken().values()]).toEqual([2400])
      await page.reload()
      await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()

      // What Stripe sends is verified by the secret that it gave to the server.
      const [id = '', event] = [endpoint?.url.split('/').at(-1), fake.account.events[0]]
      if (!event) throw new Error('Stripe has recorded no event')
      const notice = noticeOf(event, Date.now(), endpoint?.secret)
      const client = createHttpClient(program.base)
      expect((await deliver(client, id, notice)).status).toBeLessThan(300)
      await page.goto(`${program.base}/console/default/settings/processors`)
      await expect(card).toContainText('Last notificationthis minute')
      await card.getByRole('button', { name: 'Disconnect' }).click()
      await dialog.getByRole('button', { name: 'Disconnect' }).click()
      await expect(card).toContainText('Disconnected')
      await expectAccessible(page, 'dark')
      expect(fake.problems).toEqual([])
    } finally {
      await stop()
      closeScript()
      await fake.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
