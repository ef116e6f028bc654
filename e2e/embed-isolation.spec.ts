import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { EmbeddedCheckout, escape } from './pages/embedded.ts'
import { inline, lastDetail, opener, RECORDER, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** Isolation from the shop: strict policies, style sheets, forged messages, and origins not allowed. */

/** Collects the browser's messages about violated policies. */
function violations(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) messages.push(message.text())
  })
  return messages
}

test(
  'a strict Content-Security-Policy needs only two directives',
  { tag: '@deep' },
  async ({ baseURL, framed, front, merchant, page }) => {
    const links = [await merchant.createLink(), await merchant.createLink()] as const
    const recorder = front.script(RECORDER)
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Roastery</title>
    <script src="${recorder}"></script><script src="${baseURL}/widget.js" async></script>
    <main><h1>Roastery</h1>${inline(links[0])}${opener(links[1])}</main></html>`
    const policy = [
      `default-src 'none'; script-src 'self' ${baseURL}; frame-src ${baseURL}`,
      `require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'`,
    ].join('; ')
    const messages = violations(page)
    await page.goto(front.origin + front.page(html, { 'content-security-policy': policy }))
    await framed.payToReceipt()
    // The receipt is shorter than the form, and a mouse click could miss an element that moves.
    await page.getByText('Pay now').press('Enter')
    const second = new EmbeddedCheckout(page, 1)
    await second.payToReceipt()
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBe(480)
    expect(messages).toEqual([])
  },
)

const WILD = `
  #place *, body > div, dialog, iframe, button, ::backdrop {
    display: none !important; visibility: hidden !important; opacity: 0 !important;
    position: absolute !important; inset: 4000px !important; transform: scale(0.1) !important;
    width: 1px !important; height: 1px !important; max-height: 1px !important;
    pointer-events: none !important; filter: blur(9px) !important; clip-path: inset(50%) !important;
    font-size: 90px !important; direction: rtl !important; z-index: -1 !important;
    animation: gone 1s infinite !important; transition: all 60s !important;
  }
  @keyframes gone { from, to { opacity: 0 } }
  html { font-size: 40px } body { transform: rotate(3deg); perspective: 20px }`

test(
  'the shop’s style sheet does not affect frame or dialog',
  { tag: '@deep' },
  async ({ framed, merchant, page, visit }) => {
    const links = [await merchant.createLink(), await merchant.createLink()] as const
    await visit(inline(links[0]) + opener(links[1]), `<style>${WILD}</style>`)
    await expect(framed.payButton).toBeVisible()
    expect(await framed.height()).toBeGreaterThan(400)
    await page.getByText('Pay now').click()
    const second = new EmbeddedCheckout(page, 1)
    await second.payToReceipt()
    const box = await page.getByRole('dialog').boundingBox()
    expect([box?.x, box?.width]).toEqual([(1280 - 480) / 2, 480])
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

const TYPES = ['ready', 'resize', 'status', 'action', 'complete', 'close', 'error'].concat([
  'focus-edge',
  'init',
  'close?',
  'theme',
  'visibility',
])

test('neither side accepts forged messages', async ({ baseURL, embed, framed, front, page }) => {
  // A cross-origin frame that knows the nonce but has another window.
  const forger = front.page(`<!doctype html><script>
    onmessage = ({ data: { frame, origin, types } }) => {
      for (const type of types) {
        const message = { checkstand: 1, frame, type, detail: { theme: 'dark', visible: true,
          status: 'COMPLETED', height: 9999, redirect: 'https://evil.example/', payment_link: 'pl_x' } }
        parent.postMessage(message, '*')
        for (let n = 0; n < parent.length; n += 1) parent.frames[n].postMessage(message, "*")
      }
      parent.postMessage('done', '*')
    }</script>`)
  const evil = `<iframe id="evil" src="${front.forbiddenOrigin}${forger}"></iframe>`
  await embed(undefined, (link) => inline(link) + evil)
  await expect(framed.payButton).toBeVisible()
  const before = await recordedEvents(page)
  await page.evaluate(
    async ({ server, types }) => {
      const frames = [...document.querySelectorAll('#place > *')].map(
        (host) => host.shadowRoot?.querySelector('iframe') as HTMLIFrameElement,
      )
      const [frame] = new URL(frames[0]?.src ?? '').hash.slice(1).split(',')
      const detail = { status: 'COMPLETED', height: 9999, redirect: 'https://evil.example/' }
      for (const type of types) {
        const data = { checkstand: 1, frame, type, detail }
        // From the shop's script: with the wrong origin, then as a synthetic event.
        postMessage(data, '*')
        dispatchEvent(
          new MessageEvent('message', {
            data,
            origin: server,
            source: frames[0]?.contentWindow ?? null,
          }),
        )
        // To the frame, without its nonce.
        frames[0]?.contentWindow?.postMessage({ ...data, frame: '1' }, server)
      }
      const done = new Promise((resolve) =>
        addEventListener('message', ({ data }) => data === 'done' && resolve(data)),
      )
      const evilFrame = document.querySelector<HTMLIFrameElement>('#evil')
      evilFrame?.contentWindow?.postMessage({ frame, origin: server, types }, '*')
      await done
    },
    { server: baseURL ?? '', types: TYPES },
  )
  expect(await framed.height()).toBeLessThan(9000)
  expect(await recordedEvents(page)).toEqual(before)
  expect(page.url()).toContain(front.origin)
  await framed.payToReceipt()
})

test(
  'an origin that is not allowed gets plain links, which pay',
  { tag: '@deep' },
  async ({ baseURL, embedScript, front, merchant, page }) => {
    const link = await merchant.createLink()
    const withoutLink = `<div data-checkstand-link="${link.id}"></div>`
    const content = inline(link) + withoutLink + opener(link)
    const messages = violations(page)
    await page.goto(front.forbiddenOrigin + front.page(shopPage(embedScript + content)))
    await expect(page.getByRole('link', { name: 'Pay online' })).toBeVisible()
    await expect(page.getByRole('link', { name: new URL(baseURL ?? '').host })).toBeVisible()
    expect(messages.join()).toContain('frame-ancestors')
    expect(await lastDetail(page, 'error')).toEqual({ code: 'NOT_FRAMED' })
    const tab = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Pay online' }).click()
    expect((await tab).url()).toBe(link.url)
    await page.getByText('Pay now').click()
    const inDialog = page.getByRole('dialog').getByRole('link', { name: 'Pay now' })
    await expect(inDialog).toHaveAttribute('href', link.url)
    await escape(page)
  },
)
