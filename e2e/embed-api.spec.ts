import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { recordedEvents, inline, lastDetail, shopPage } from './pages/shop.ts'
import { test } from './shop-fixtures.ts'

/** The ways to embed a checkout, and the API of an embedded one. */

test.describe.configure({ timeout: 60_000 })

test('the custom element mounts and unmounts with the DOM', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const element = `<checkstand-checkout id="shop" link="${link.id}" data-language="fr"></checkstand-checkout>`
  await page.goto(front.origin + front.page(shopPage(embedScript + element)))
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.frame.getByRole('button', { name: /^Payer/ })).toBeVisible()
  expect((await recordedEvents(page))[0]).toMatchObject({ type: 'ready', at: 'shop' })
  await page.evaluate(() => {
    const element = document.querySelector('checkstand-checkout') as HTMLElement
    element.remove()
    element.dataset['language'] = 'de'
    document.querySelector('main')?.append(element)
  })
  await expect(checkout.frame.getByRole('button', { name: /zahlen/ })).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('mount shows a checkout, update changes it, and destroy removes it', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  await page.goto(front.origin + front.page(shopPage(`${embedScript}<div id="place"></div>`)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ id }) => {
    Object.assign(window, {
      records: [],
      shop: window.Checkstand?.mount('#place', {
        link: id,
        onReady: () => window.records.push('ready'),
        onStatus: ({ detail }) => window.records.push(detail.status),
      }),
    })
  }, one)
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toHaveText(/24/)
  const records = () => page.evaluate(() => window.records)
  await expect.poll(records).toEqual(['ready', 'OPEN'])
  await checkout.cardNumber.fill('4242')
  await page.evaluate(() => window.shop.update({ onStatus: () => {} }))
  await expect(checkout.cardNumber).toHaveValue('4242')
  await page.evaluate(({ url }) => window.shop.update({ link: url }), two)
  await expect(checkout.payButton).toHaveText(/7/)
  await expect.poll(records).toEqual(['ready', 'OPEN', 'ready'])
  await page.evaluate(() => {
    window.shop.destroy()
    window.shop.destroy()
  })
  await expect(page.locator('#place')).toBeEmpty()
  expect(await records()).toEqual(['ready', 'OPEN', 'ready'])
})

test('a changed link gets the full loading timeout', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  // Longer than the timeout for the first message.
  await page.route(`**/pay/${two.id}*`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4_500))
    await route.continue()
  })
  await page.goto(front.origin + front.page(shopPage(`${embedScript}<div id="place"></div>`)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ id }) => {
    Object.assign(window, {
      records: [],
      shop: window.Checkstand?.mount('#place', {
        link: id,
        onReady: () => window.records.push('ready'),
        onError: ({ detail }) => window.records.push(detail.code),
      }),
    })
  }, one)
  const checkout = new EmbeddedCheckout(page)
  const records = () => page.evaluate(() => window.records)
  await expect.poll(records).toEqual(['ready'])
  await page.evaluate(({ id }) => window.shop.update({ link: id }), two)
  await expect(checkout.payButton).toHaveText(/7/)
  await expect.poll(records).toEqual(['ready', 'ready'])
  await page.evaluate(() => window.shop.destroy())
  // The timeout of the second page: a destroyed checkout emits no error.
  await page.waitForTimeout(3_500)
  expect(await records()).toEqual(['ready', 'ready'])
})

test('a changed link adds no entry to the history', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  await page.goto(front.origin + front.page('<title>Before</title>'))
  await page.goto(front.origin + front.page(shopPage(`${embedScript}<div id="place"></div>`)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ id }) => {
    window.shop = window.Checkstand!.mount('#place', { link: id })
  }, one)
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toHaveText(/24/)
  await page.evaluate(({ id }) => window.shop.update({ link: id }), two)
  await expect(checkout.payButton).toHaveText(/7/)
  await page.goBack()
  await expect(page).toHaveTitle('Before')
})

test('two checkouts with the same options are independent', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  const places = '<div id="a"></div><div id="b"></div>'
  await page.goto(front.origin + front.page(shopPage(embedScript + places)))
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
  await expect(new EmbeddedCheckout(page).payButton).toHaveText(/7/)
  await expect(new EmbeddedCheckout(page, 1).payButton).toHaveText(/24/)
})

test('a dialog that is closed twice emits one close event', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ url }) => {
    window.records = []
    window.shop = window.Checkstand!.open({
      link: url,
      onClose: () => window.records.push('closed'),
    })
  }, link)
  await expect(new EmbeddedCheckout(page).payButton).toBeVisible()
  await page.evaluate(() => {
    window.shop.close()
    window.shop.close()
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.waitForTimeout(3_500)
  expect(await page.evaluate(() => window.records)).toEqual(['closed'])
})

test('open shows a dialog and calls its listeners', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ url }) => {
    window.records = []
    window.shop = window.Checkstand!.open({
      link: url,
      onComplete: ({ detail }) => window.records.push(detail.status),
      onClose: () => window.records.push('closed'),
    })
  }, link)
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await page.evaluate(() => window.shop.close())
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => window.records)).toEqual(['COMPLETED', 'closed'])
})

test('the module build mounts into a shadow root', async ({ baseURL, front, merchant, page }) => {
  const link = await merchant.createLink()
  const script = `<div id="place"></div><script type="module">
    import { mount } from '${baseURL}/widget.mjs'
    const inside = document.querySelector('#place').attachShadow({ mode: 'open' })
    inside.innerHTML = '<section></section>'
    mount(inside.querySelector('section'), { link: '${link.id}' })
  </script>`
  await page.goto(front.origin + front.page(shopPage(script)))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a pinned version loads with its integrity hash, and a second load is harmless', async ({
  baseURL,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const { script } = await (await fetch(`${baseURL}/widget.json`)).json()
  const pinned = `<script src="${script.url}" integrity="${script.integrity}" crossorigin></script>`
  const plain = `<script src="${baseURL}/widget.js" async></script>`
  await page.goto(front.origin + front.page(shopPage(inline(link), pinned + plain)))
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('a checkout has the color scheme of the host page', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const path = front.page(shopPage(embedScript + inline(link)))
  const ground = (checkout: EmbeddedCheckout) =>
    checkout.frame.locator('.form').evaluate((form) => {
      const [, red = '0'] = /rgb\((\d+)/.exec(getComputedStyle(form).backgroundColor) ?? []
      return Number(red) > 127 ? 'light' : 'dark'
    })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(front.origin + path)
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeVisible()
  // The page declares no color scheme, so it is light even if the payer prefers dark.
  await expect.poll(() => ground(checkout)).toBe('light')
  const declare = async (colorScheme: string) => {
    await page.addStyleTag({ content: `:root { color-scheme: ${colorScheme} }` })
    await page.evaluate(() => {
      document.querySelector('[data-checkstand-link]')?.remove()
      const element = document.createElement('checkstand-checkout')
      element.setAttribute('link', location.hash.slice(1))
      document.querySelector('main')?.append(element)
    })
    await expect(checkout.payButton).toBeVisible()
  }
  await page.evaluate((id) => (location.hash = id), link.id)
  await declare('light dark')
  await expect.poll(() => ground(checkout)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => ground(checkout)).toBe('light')
})

test('a checkout follows a change of the color scheme of the host page', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(`${embedScript}<div id="place"></div>`)))
  await page.waitForFunction(() => 'Checkstand' in window)
  await page.evaluate(({ id }) => {
    window.shop = window.Checkstand!.mount('#place', { link: id })
  }, link)
  const checkout = new EmbeddedCheckout(page)
  const scheme = () =>
    checkout.frame.locator('html').evaluate((html) => getComputedStyle(html).colorScheme)
  await expect.poll(scheme).toBe('light')
  await page.evaluate(() => {
    document.documentElement.style.colorScheme = 'dark'
    window.shop.update({})
  })
  await expect.poll(scheme).toBe('dark')
})

test('axe finds no violations in a shop with an inline checkout or a dialog', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const checkout = new EmbeddedCheckout(page)
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  await expect(checkout.payButton).toBeVisible()
  await expectAccessible(page)
  const opener = `<a data-checkstand="overlay" href="${link.url}">Pay now</a>`
  await page.goto(front.origin + front.page(shopPage(embedScript + opener)))
  await page.getByText('Pay now').click()
  await expect(checkout.payButton).toBeVisible()
  await expectAccessible(page)
  expect(await lastDetail(page, 'error')).toBeUndefined()
})
