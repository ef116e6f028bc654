import { addressOf, SCREENS } from '../../console/gallery/screens.ts'
import type { ShopIds } from '../../console/gallery/seed-shop.ts'
import { expect, expectAccessible, OWN_CONTEXT } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi } from './fixtures.ts'
import { expectWhole, untilDrawn, watchProblems } from './screen-checks.ts'
import { emptyShop, fullShop, openAs } from './shop.ts'

/** Every screen of the console, with records, and in the states that are not the usual one. */

/** What `npm test` visits, with one record: a list, a record and a form. */
const QUICK = ['links', 'link', 'settings-shop']

test('a list, a record and a form are whole', async ({ page, user }) => {
  const problems = watchProblems(page)
  await openAs(page, user, '/console/default/links')
  const made = await callApi<{ payment_link: { id: string } }>(page, 'POST', '/payment_links', {
    payment_link: { options: { amount: '24.00', name: 'Two bags of coffee' } },
  })
  const ids = { payment_link: made.payment_link.id } as ShopIds
  for (const screen of SCREENS.filter(({ name }) => QUICK.includes(name))) {
    await page.goto(addressOf(screen, ids))
    await expectWhole(page, problems)
  }
})

for (const screen of SCREENS) {
  test(`${screen.name} is whole`, { tag: '@deep' }, async ({ page, baseURL }) => {
    const { email, ids } = await fullShop(baseURL ?? '')
    const problems = watchProblems(page)
    await openAs(page, email, addressOf(screen, ids))
    await expectWhole(page, problems)
  })
}

/** Screens that ask the API for nothing before somebody acts. */
const ASKS_NOTHING = new Set(['start', 'link-new'])

const REFUSALS = [
  ['fails', 500, 'SERVER_ERROR'],
  ['is not permitted', 403, 'FORBIDDEN'],
] as const

for (const [what, status, type] of REFUSALS) {
  for (const screen of SCREENS.filter(({ name }) => !ASKS_NOTHING.has(name))) {
    test(
      `${screen.name} says so when what it asks for ${what}`,
      { tag: '@deep' },
      async ({ page, baseURL }) => {
        const { email, ids } = await fullShop(baseURL ?? '')
        const problems = watchProblems(page)
        await page.route(/\/c\/api\/|\/console\/factors/, (route) =>
          route.fulfill({ status, json: { error: { type, message: 'Refused.' } } }),
        )
        // A list with a query is not in the document, so that the screen asks.
        const address = addressOf(screen, ids)
        await openAs(page, email, address.includes('?') ? address : `${address}?q=`)
        await untilDrawn(page)
        await expect(page.getByRole('alert').first()).toBeVisible()
        await expectAccessible(page)
        expect(problems).toEqual([])
      },
    )
  }
}

for (const screen of SCREENS.filter(({ id, query }) => id === undefined && query === undefined)) {
  test(`${screen.name} of a new shop is whole`, { tag: '@deep' }, async ({ page }) => {
    const { email, ids } = await emptyShop()
    const problems = watchProblems(page)
    await openAs(page, email, addressOf(screen, ids))
    await expectWhole(page, problems)
  })
}

test(
  'without a connection every screen that is open stays, and says why nothing new comes',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ page, baseURL }) => {
    const { email, ids } = await fullShop(baseURL ?? '')
    const problems = watchProblems(page)
    for (const screen of SCREENS.filter(({ name }) => name !== 'start')) {
      await openAs(page, email, addressOf(screen, ids))
      await untilDrawn(page)
      await page.context().setOffline(true)
      await expect(page.locator('.offline')).toContainText('No connection')
      await expect(page.locator('h1').first()).toBeVisible()
      if (screen.name === 'links') await expectAccessible(page)
      await page.context().setOffline(false)
    }
    expect(problems).toEqual([])
  },
)
