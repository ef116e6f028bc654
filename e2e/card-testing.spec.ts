import { createHash } from 'node:crypto'
import { WORK_HEADER, workText, zeroBits } from '../shared/rules/proof-of-work.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** The defenses against card testing, as an honest payer sees them. */

test('the page solves a demanded proof of work, retries by itself and pays', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const opened = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
  await page.goto(link.url)
  const { checkout: session } = (await (await opened).json()) as { checkout: { id: string } }
  const bodies: { attempt_key: string; proof?: string }[] = []
  await page.route('**/submit', async (route) => {
    bodies.push(route.request().postDataJSON())
    if (bodies.length > 1) return route.continue()
    await route.fulfill({
      status: 429,
      headers: { 'Retry-After': '1', [WORK_HEADER]: '12' },
      json: { error: { type: 'TOO_MANY_REQUESTS', message: 'Too soon; try again in a moment' } },
    })
  })
  await checkout.payToReceipt()
  const [first, second] = bodies
  expect(second).toEqual({ ...first, proof: expect.stringMatching(/^\d+$/) })
  const text = workText(session.id, first?.attempt_key ?? '', second?.proof ?? '')
  expect(zeroBits(createHash('sha256').update(text).digest())).toBeGreaterThanOrEqual(12)
})

test(
  'a payer with too many declines is asked to wait and keeps the form',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink()
    for (let i = 0; i < 5; i += 1) {
      await checkout.pay(CARDS.decline)
      await expect(checkout.alert).toContainText('Your bank declined')
      await expect(checkout.payButton).toBeEnabled()
    }
    await checkout.pay()
    await expect(checkout.alert).toContainText('There were too many attempts. Wait a few minutes')
    await expectAccessible(page)
    expect((await link.read()).attempts).toBe(5)
  },
)
