import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'
import { fullShop, openAs } from './shop.ts'

const TAG = `wholesale-${Date.now()}`

async function newCustomers(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await callApi(page, 'POST', '/accounts', {
      account: {
        crm_key: `${TAG}-${at}`,
        first_name: 'Many',
        last_name: `Fold ${TAG}`,
        tags: at === 0 ? 'first' : null,
      },
    })
  }
}

test(
  'what is done with all rows of a list is asked first, and goes beyond its page',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/customers')
    await newCustomers(page, 53)
    await page.goto(`/console/default/customers?where=last_name~%3D${TAG}`)
    await expect(page.getByText('1–50 of 53')).toBeVisible()
    await page.getByRole('link', { name: /Many/ }).first().focus()
    await page.keyboard.press('Control+a')
    await expect(page.getByText('50 chosen')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Choose all 53' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Control+a')
    await expect(page.getByText('53 chosen')).toBeVisible()
    await page.keyboard.press('Shift+T')
    const dialog = page.getByRole('dialog', { name: 'Tag 53 customers' })
    await expect(dialog.getByRole('button', { name: 'Add a tag' })).toBeDisabled()
    await dialog.getByLabel('Tag', { exact: true }).fill(TAG)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add a tag' }).click()
    await expect(page.getByText('53 customers tagged')).toBeVisible()
    const { accounts } = await callApi<{ accounts: { tags: string }[] }>(
      page,
      'GET',
      `/accounts?criteria=last_name~=${TAG}&limit=60`,
    )
    const tags = accounts.map((account) => account.tags).toSorted()
    expect(tags).toEqual([`first, ${TAG}`, ...Array.from({ length: 52 }, () => TAG)])
  },
)

test(
  'a bulk action that is refused halfway goes on where it stopped',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/links')
    for (const name of ['One', 'Two', 'Three']) {
      const payment_link = { options: { name, amount: '5.00' } }
      await callApi(page, 'POST', '/payment_links', { payment_link })
    }
    await page.reload()
    let deleted = 0
    await page.route('**/payment_links/*', async (route) => {
      if (route.request().method() === 'DELETE' && (deleted += 1) === 2) {
        await route.fulfill({
          status: 503,
          json: { error: { type: 'OVERLOADED', message: 'Busy' } },
        })
      } else await route.continue()
    })
    for (const name of ['One', 'Two', 'Three']) {
      await page
        .getByRole('row', { name: new RegExp(name) })
        .first()
        .getByRole('checkbox')
        .check()
    }
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive 3 links' })
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await expect(dialog.getByRole('status')).toHaveText('1 of 3 are done.')
    await expect(dialog.getByRole('alert')).toBeVisible()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await expect(page.getByText('3 links archived')).toBeVisible()
    expect(deleted).toBe(4)
    await expect(page.getByRole('link', { name: 'Two' })).toHaveCount(0)
  },
)

test('deliveries that are chosen are sent again', { tag: '@deep' }, async ({ page, user }) => {
  await openConsole(page, user, '/console/default/developers/webhooks')
  const { instance_webhook: webhook } = await callApi<{ instance_webhook: { id: string } }>(
    page,
    'POST',
    '/instance_webhooks',
    { instance_webhook: { url: 'https://127.0.0.1/chosen', events: ['payment_link.created'] } },
  )
  for (const name of ['One', 'Two']) {
    await callApi(page, 'POST', '/payment_links', { payment_link: { options: { name } } })
  }
  const sent = () =>
    callApi<{ deliveries: { last_attempt: string | null }[] }>(
      page,
      'GET',
      `/instance_webhooks/${webhook.id}/deliveries`,
    ).then(({ deliveries }) => deliveries.map((delivery) => delivery.last_attempt ?? ''))
  await expect.poll(async () => (await sent()).filter(Boolean).length).toBe(2)
  const before = (await sent()).toSorted().at(-1) ?? ''
  await page.goto(`/console/default/developers/deliveries?where=instance_webhook%3D${webhook.id}`)
  await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
  await page.keyboard.press('Escape')
  await page.locator('tr[data-row] a').first().focus()
  await page.keyboard.press('Shift+R')
  const dialog = page.getByRole('dialog', { name: 'Send 2 deliveries again' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('2 events are sent again')).toBeVisible()
  await expect.poll(async () => (await sent()).every((attempted) => attempted > before)).toBe(true)
})

test(
  'a view is shared with everybody of the shop, who cannot delete it without the right',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/payments?tab=declined')
    const name = `Lost ${TAG}`
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the view').fill(name)
    await dialog.getByRole('checkbox', { name: 'For everybody in this shop' }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save this view' }).click()
    await expect(page.getByRole('button', { name: 'Views' })).toContainText(name)
    await page.goto('/console/default/payments')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(page).toHaveURL(/tab=declined/)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: `Delete “${name}” for everybody` }).click()
    await expect(page.getByText('View deleted')).toBeVisible()
    const { views } = await callApi<{ views: { name: string }[] }>(page, 'GET', '/views')
    expect(views.map((view) => view.name)).not.toContain(name)
  },
)

test(
  'a contract is called otherwise, and collected from another method',
  { tag: '@deep' },
  async ({ page, baseURL }) => {
    const { email } = await fullShop(baseURL ?? '')
    await openAs(page, email, '/console/default/contracts')
    const { contracts } = await callApi<{ contracts: { id: string; payment_method: string }[] }>(
      page,
      'GET',
      '/contracts?criteria=status=ACTIVE&limit=1',
    )
    const [contract] = contracts
    await page.goto(`/console/default/contracts/${contract?.id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change' })
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await expect(dialog.getByLabel('Method')).toHaveValue(contract?.payment_method ?? '')
    await dialog.getByLabel('Description').fill('Gold membership')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Gold membership')).toBeVisible()
  },
)
