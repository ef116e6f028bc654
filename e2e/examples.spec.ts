import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PROGRAM_KEY } from '../test/program.ts'
import { expect } from './fixtures.ts'
import { EmbeddedCheckout, escape } from './pages/embedded.ts'
import { EXAMPLES, shopPort } from './shop-fixtures.ts'
import { test as base } from './test.ts'

/** The examples run by the commands in their first lines and take a payment. */

const test = base.extend<{ start: (name: keyof typeof EXAMPLES) => Promise<string> }>({
  start: async ({ baseURL, front: _allowed }, use, info) => {
    const running: ChildProcess[] = []
    await use(async (name) => {
      const port = shopPort(EXAMPLES[name])
      const server = spawn(process.execPath, [fileURLToPath(example(name))], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          PORT: String(port),
          CHECKSTAND_URL: baseURL,
          CHECKSTAND_SECRET_KEY: PROGRAM_KEY,
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

test.describe.configure({ mode: 'serial' })

test(
  'the example shop takes payments in each of its modes and verifies them with Checkstand',
  { tag: '@deep' },
  async ({ framed, page, start }) => {
    const shop = await start('shop')
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text())
    })

    await page.goto(`${shop}/inline`)
    await framed.pay()
    await framed.place.getByRole('link', { name: /Return to/ }).click()
    await expect(page.getByText('the coffee is on its way')).toBeVisible()

    await page.goto(`${shop}/overlay`)
    await page.getByRole('link', { name: /Pay/ }).click()
    await framed.payToReceipt()

    await page.goto(`${shop}/function`)
    await page.waitForFunction(() => 'Checkstand' in window)
    await page.getByRole('button', { name: /Pay/ }).click()
    await framed.payToReceipt()
    await escape(page)
    await expect(page.getByText('Paid. Thank you!')).toBeVisible()

    await page.goto(`${shop}/thanks?payment_link=pl_made_up&status=COMPLETED`)
    await expect(page.getByText('We have not received your payment.')).toBeVisible()
    expect(refused).toEqual([])
  },
)

test('the page without a server takes what a payer gives', async ({
  api,
  baseURL,
  framed,
  front,
  page,
}) => {
  const { deep_link } = await api('/deep_links', {
    body: { deep_link: { action: 'PAY', options: { amount_min: '2.00', currency: 'EUR' } } },
  })
  const html = await readFile(new URL('../examples/html/index.html', import.meta.url), 'utf8')
  const filled = html
    .replaceAll('http://localhost:4242', baseURL ?? '')
    .replace('/go/dl_…', new URL(deep_link.url).pathname)
  await page.goto(front.origin + front.page(filled))
  await page.getByRole('link', { name: 'Give what you like' }).click()
  await framed.place.locator('#field-amount').fill('12')
  await framed.payToReceipt()
  const { payment_links } = await api(`/deep_links/${deep_link.id}/payment_links?expand=payment`)
  expect(payment_links).toMatchObject([{ payment: { amount: '12.00', status: 'SUCCESS' } }])
})

test(
  'the React example takes payments inline and in a dialog',
  { tag: '@deep' },
  async ({ framed, page, start }) => {
    await page.goto(await start('react'))
    await expect(framed.payButton).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('The checkout is OPEN.')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(1)
    await page.getByRole('button', { name: 'Pay in a dialog' }).click()
    const dialog = new EmbeddedCheckout(page, 1)
    await expect(dialog.payButton).toBeVisible()
    await escape(page)
    await framed.pay()
    await expect(page.getByText('Paid. Thank you!')).toBeVisible()
    await expect(framed.receipt).toBeVisible()
  },
)
