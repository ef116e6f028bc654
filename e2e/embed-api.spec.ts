import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { inline, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** The ways to embed a checkout, and the API of an embedded one. */

const PLACE = '<div id="place"></div>'

/** Mounts a checkout in `PLACE`, or opens one in a dialog, and records the calls of its listeners. */
async function show(page: Page, how: 'mount' | 'open', shown: string): Promise<void> {
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(
    ([method, link]) => {
      window.records = []
      const options = {
        link,
        onReady: () => window.records.push('ready'),
        onStatus: ({ detail }: CustomEvent<{ status: string }>) =>
          window.records.push(detail.status),
        onComplete: () => window.records.push('complete'),
        onError: ({ detail }: CustomEvent<{ code: string }>) => window.records.push(detail.code),
        onClose: () => window.records.push('closed'),
      }
      const { mount, open } = window.Checkstand!
      window.shop = method === 'open' ? open(options) : mount('#place', options)
    },
    [how, shown] as const,
  )
}

const records = (page: Page) => () => page.evaluate(() => window.records)

test(
  'the custom element mounts and unmounts with the DOM',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await embed(
      undefined,
      ({ id }) =>
        `<checkstand-checkout id="shop" link="${id}" data-language="fr"></checkstand-checkout>`,
    )
    await expect(framed.place.getByRole('button', { name: /^Payer/ })).toBeVisible()
    expect((await recordedEvents(page))[0]).toMatchObject({ type: 'ready', at: 'shop' })
    await page.evaluate(() => {
      const element = document.querySelector('checkstand-checkout') as HTMLElement
      element.remove()
      element.dataset['language'] = 'de'
      document.querySelector('main')?.append(element)
    })
    await expect(framed.place.getByRole('button', { name: /zahlen/ })).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(1)
  },
)

test('mount shows a checkout, update changes it, and destroy removes it', async ({
  framed,
  merchant,
  page,
  visit,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  await visit(PLACE)
  await show(page, 'mount', one.id)
  await expect(framed.payButton).toHaveText(/24/)
  await expect.poll(records(page)).toEqual(['ready', 'OPEN'])
  await framed.cardNumber.fill('4242')
  await page.evaluate(() => window.shop.update({ onStatus: () => {} }))
  await expect(framed.cardNumber).toHaveValue('4242')
  await page.evaluate(({ url }) => window.shop.update({ link: url }), { url: two.url })
  await expect(framed.payButton).toHaveText(/7/)
  await expect.poll(records(page)).toEqual(['ready', 'OPEN', 'ready'])
  await page.evaluate(() => {
    window.shop.destroy()
    window.shop.destroy()
  })
  await expect(page.locator('#place')).toBeEmpty()
  expect(await records(page)()).toEqual(['ready', 'OPEN', 'ready'])
})

test(
  'a changed link gets the full loading timeout',
  { tag: '@deep' },
  async ({ framed, merchant, page, visit }) => {
    const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
    // Longer than the timeout for the first message.
    await page.route(`**/pay/${two.id}*`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 4_500))
      await route.continue()
    })
    await visit(PLACE)
    await show(page, 'mount', one.id)
    await expect.poll(records(page)).toEqual(['ready', 'OPEN'])
    await page.evaluate((link) => window.shop.update({ link }), two.id)
    await expect(framed.payButton).toHaveText(/7/)
    await expect.poll(records(page)).toEqual(['ready', 'OPEN', 'ready', 'OPEN'])
    await page.evaluate(() => window.shop.destroy())
    // The timeout of the second page: a destroyed checkout emits no error.
    await page.waitForTimeout(3_500)
    expect(await records(page)()).toEqual(['ready', 'OPEN', 'ready', 'OPEN'])
  },
)

test(
  'a checkout follows the color scheme of the page, and a changed link adds no entry to the history',
  { tag: '@deep' },
  async ({ framed, front, merchant, page, visit }) => {
    const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
    await page.goto(front.origin + front.page('<title>Before</title>'))
    await visit(PLACE)
    await show(page, 'mount', one.id)
    const scheme = () =>
      framed.place.locator('html').evaluate((html) => getComputedStyle(html).colorScheme)
    await expect.poll(scheme).toBe('light')
    await page.evaluate(() => {
      document.documentElement.style.colorScheme = 'dark'
      window.shop.update({})
    })
    await expect.poll(scheme).toBe('dark')
    await expect(framed.payButton).toHaveText(/24/)
    await page.evaluate((link) => window.shop.update({ link }), two.id)
    await expect(framed.payButton).toHaveText(/7/)
    await page.goBack()
    await expect(page).toHaveTitle('Before')
  },
)

test(
  'two checkouts with the same options are independent',
  { tag: '@deep' },
  async ({ framed, merchant, page, visit }) => {
    const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
    await visit('<div id="a"></div><div id="b"></div>')
    await page.waitForFunction(() => 'Checkstand' in window)
    await page.evaluate(
      ([first, second]) => {
        const options = Object.freeze({ link: first })
        const a = window.Checkstand!.mount('#a', options)
        const b = window.Checkstand!.mount('#b', options)
        a.update({ link: second })
        b.update({})
      },
      [one.id, two.id] as const,
    )
    await expect(framed.payButton).toHaveText(/7/)
    await expect(new EmbeddedCheckout(page, 1).payButton).toHaveText(/24/)
  },
)

test('open shows a dialog and calls its listeners, and a second close does nothing', async ({
  framed,
  merchant,
  page,
  visit,
}) => {
  const link = await merchant.createLink()
  await visit('')
  await show(page, 'open', link.url)
  await expect.poll(records(page)).toEqual(['ready', 'OPEN'])
  await page.evaluate(() => {
    window.shop.close()
    window.shop.close()
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The timeout for a frame that does not respond.
  await page.waitForTimeout(3_500)
  expect(await records(page)()).toEqual(['ready', 'OPEN', 'closed'])
  await show(page, 'open', link.url)
  await framed.payToReceipt()
  await page.evaluate(() => window.shop.close())
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const all = ['ready', 'OPEN', 'SUBMITTED', 'COMPLETED', 'complete', 'closed']
  expect(await records(page)()).toEqual(all)
})

test('the module build mounts into a shadow root', async ({
  baseURL,
  framed,
  front,
  merchant,
  page,
}) => {
  const { id } = await merchant.createLink()
  const script = `${PLACE}<script type="module">
    import { mount } from '${baseURL}/widget.mjs'
    const inside = document.querySelector('#place').attachShadow({ mode: 'open' })
    inside.innerHTML = '<section></section>'
    mount(inside.querySelector('section'), { link: '${id}' })
  </script>`
  await page.goto(front.origin + front.page(shopPage(script)))
  await framed.payToReceipt()
})

test('a pinned version loads with its integrity hash, and a second load is harmless', async ({
  baseURL,
  embedScript,
  framed,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const { script } = await (await fetch(`${baseURL}/widget.json`)).json()
  const pinned = `<script src="${script.url}" integrity="${script.integrity}" crossorigin></script>`
  await page.goto(front.origin + front.page(shopPage(inline(link), pinned + embedScript)))
  await expect(framed.payButton).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
})

test(
  'a checkout has the color scheme of the host page',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const ground = () =>
      framed.place.locator('.form').evaluate((form) => {
        const [, red = '0'] = /rgb\((\d+)/.exec(getComputedStyle(form).backgroundColor) ?? []
        return Number(red) > 127 ? 'light' : 'dark'
      })
    await page.emulateMedia({ colorScheme: 'dark' })
    const link = await embed()
    await expect(framed.payButton).toBeVisible()
    // The page declares no color scheme, so it is light even if the payer prefers dark.
    await expect.poll(ground).toBe('light')
    await page.addStyleTag({ content: `:root { color-scheme: light dark }` })
    await page.evaluate((id) => {
      document.querySelector('[data-checkstand-link]')?.remove()
      const element = document.createElement('checkstand-checkout')
      element.setAttribute('link', id)
      document.querySelector('main')?.append(element)
    }, link.id)
    await expect(framed.payButton).toBeVisible()
    await expect.poll(ground).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(ground).toBe('light')
  },
)
