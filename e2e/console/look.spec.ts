import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

interface Answer {
  instance: { brandings: { key: string; channels: string[]; theme: unknown }[] }
}

test(
  'a branding is added, colored as it will look, kept, and removed with its sentences',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/look')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add a branding' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Corner Shop Kids')
    await expect(dialog.getByLabel('Key')).toHaveValue('corner-shop-kids')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add a branding' }).click()

    await page.getByLabel('Sales channels').fill('kids-web')
    await page.getByLabel('Accent').fill('#ffd000')
    await expect(page.getByText('#ffd000 stays on the button.')).toBeVisible()
    const previews = page.getByRole('region', { name: 'The payer’s page in these colors' })
    await expect(previews.locator('iframe')).toHaveCount(2)
    const button = previews.locator('iframe').first().contentFrame().getByRole('button').last()
    await expect(button).toHaveCSS('background-color', 'rgb(255, 208, 0)')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved')).toBeVisible()
    await expectAccessible(page, 'dark')
    const [kids] = (await callApi<Answer>(page, 'GET', '')).instance.brandings
    expect(kids).toMatchObject({ channels: ['kids-web'], theme: { accent: '#ffd000' } })

    const string = { branding: 'corner-shop-kids', language: 'fr', text: 'Payer' }
    await callApi(page, 'PUT', '/strings/checkout.pay', { string })
    await page.reload()
    await expect(page.getByRole('navigation', { name: 'Brandings' })).toContainText('1 sentence')
    await page.getByRole('button', { name: 'Remove this branding' }).click()
    await expect(dialog.getByText('1 sentence that you wrote for it goes with it.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove this branding' }).click()
    await expect(page).toHaveURL(/\/look$/)
    expect((await callApi<Answer>(page, 'GET', '')).instance.brandings).toEqual([])
  },
)
