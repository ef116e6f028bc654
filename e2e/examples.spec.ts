import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CARDS, expect } from './fixtures.ts'
import { EmbeddedCheckout, escape } from './pages/embedded.ts'
import { EXAMPLES, shopPort, test as base } from './shop-fixtures.ts'

/** The examples run by the commands in their first lines and take a payment. */

const test = base.extend<{ open: (name: keyof typeof EXAMPLES) => Promise<string> }>({
  open: async ({ baseURL, front: _allowed }, use, info) => {
    const running: ChildProcess[] = []
    await use(async (name) => {
      const port = shopPort(EXAMPLES[name])
      const server = spawn(process.execPath, [fileURLToPath(example(name))], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          PORT: String(port),
          CHECKSTAND_URL: baseURL,
          CHECKSTAND_SECRET_KEY: 'sk_test_e2e_4f9c21d07ab83e65c1f2970d8be4a3f6',
          VITE_CACHE: info.outputPath('vite'),
        },
      })
      running.push(server)
      const [output] = (await once(server.stdout, 'data')) as [Buffer]
      expect(String(output)).toBe(`The shop is open at http://127.0.0.1:${port}\n`)
      return `http://127.0.0.1:${port}`
    })
    for (const server of running) {
      server.kill()
      await once(server, 'exit')
    }
  },
})

const example = (name: string) => new URL(`../examples/${name}/server.mjs`, import.meta.url)

test.describe.configure({ timeout: 90_000, mode: 'serial' })

test('the example shop takes payments in each of its modes and verifies them with Checkstand', async ({
  open,
  page,
}) => {
  const shop = await open('shop')
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  const checkout = new EmbeddedCheckout(page)

  await page.goto(`${shop}/inline`)
  await checkout.pay(CARDS.approve)
  await checkout.frame.getByRole('link', { name: /Return to/ }).click()
  await expect(page.getByText('the coffee is on its way')).toBeVisible()

  await page.goto(`${shop}/overlay`)
  await page.getByRole('link', { name: /Pay/ }).click()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()

  await page.goto(`${shop}/function`)
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.getByRole('button', { name: /Pay/ }).click()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await escape(page)
  await expect(page.getByText('Paid. Thank you!')).toBeVisible()

  await page.goto(`${shop}/thanks?payment_link=pl_made_up&status=COMPLETED`)
  await expect(page.getByText('We have not received your payment.')).toBeVisible()
  expect(refused).toEqual([])
})

test('the React example takes payments inline and in a dialog', async ({ open, page }) => {
  await page.goto(await open('react'))
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('The checkout is OPEN.')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
  await page.getByRole('button', { name: 'Pay in a dialog' }).click()
  const dialog = new EmbeddedCheckout(page, 1)
  await expect(dialog.payButton).toBeVisible()
  await escape(page)
  await checkout.pay(CARDS.approve)
  await expect(page.getByText('Paid. Thank you!')).toBeVisible()
  await expect(checkout.heading('Payment complete')).toBeVisible()
})
