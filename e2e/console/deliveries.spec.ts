import type { InstanceWebhook } from '../../shared/schemas/webhook.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

test(
  'a test event is sent from a webhook, and found among all deliveries',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/developers/webhooks')
    const url = 'https://shop.example/hooks/tested'
    const { instance_webhook: webhook } = await callApi<{ instance_webhook: InstanceWebhook }>(
      page,
      'POST',
      '/instance_webhooks',
      { instance_webhook: { url, events: ['refund.*'] } },
    )
    await page.goto(`/console/default/developers/webhooks/${webhook.id}`)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await expect(page.getByText('A test event is on its way.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'webhook.test' })).toBeVisible()
    await expectAccessible(page)

    await page.goto('/console/default/developers/deliveries')
    const row = page.getByRole('row', { name: /webhook\.test/ }).filter({ hasText: url })
    await expect(row).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Delivered', exact: true }).click()
    await expect(page).toHaveURL(/tab=delivered/)
    await expect(row).toHaveCount(0)
    await expectAccessible(page, 'dark')
  },
)

test('an event is sent to a webhook once more', { tag: '@deep' }, async ({ page, user }) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/developers/webhooks')
  const { instance_webhook: webhook } = await callApi<{ instance_webhook: InstanceWebhook }>(
    page,
    'POST',
    '/instance_webhooks',
    { instance_webhook: { url: 'https://127.0.0.1/hooks', events: ['payment_link.created'] } },
  )
  const { payment_link } = await callApi<{ payment_link: { id: string } }>(
    page,
    'POST',
    '/payment_links',
    { payment_link: { options: { amount: '9.00', name: 'Told twice' } } },
  )
  const sent = () =>
    callApi<{ deliveries: { attempts: number }[] }>(
      page,
      'GET',
      `/instance_webhooks/${webhook.id}/deliveries`,
    ).then(({ deliveries }) => deliveries.reduce((sum, { attempts }) => sum + attempts, 0))
  await expect.poll(sent).toBe(1)
  await page.goto(`/console/default/developers/webhooks/${webhook.id}`)
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await expect(page.getByText('It is sent again.')).toBeVisible()
  await expectAccessible(page)
  await expect.poll(sent).toBe(2)

  // The link tells of both, and leads to the event.
  await page.goto(`/console/default/links/${payment_link.id}`)
  const told = page.locator('.timeline > li').filter({ hasText: 'payment_link.created' })
  await expect(told.first()).toBeVisible()
  await told.first().getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('payment_link.created')
  await expectAccessible(page, 'dark')
})

test(
  'a webhook gets another address and other events, and keeps its secret',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/developers/webhooks')
    const { instance_webhook: webhook } = await callApi<{ instance_webhook: InstanceWebhook }>(
      page,
      'POST',
      '/instance_webhooks',
      { instance_webhook: { url: 'https://shop.example/hooks/old', events: ['refund.*'] } },
    )
    await page.goto(`/console/default/developers/webhooks/${webhook.id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://shop.example/hooks/new')
    await dialog.getByLabel('Events').fill('refund.* payment.success')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'https://shop.example/hooks/new',
    )
    const { instance_webhook: changed } = await callApi<{ instance_webhook: InstanceWebhook }>(
      page,
      'GET',
      `/instance_webhooks/${webhook.id}`,
    )
    expect(changed).toMatchObject({ events: ['refund.*', 'payment.success'], v: webhook.v + 1 })
  },
)
