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
