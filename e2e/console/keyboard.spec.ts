import type { Locator, Page } from '@playwright/test'
import base from '../../locales/default.json' with { type: 'json' }
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole } from './fixtures.ts'
import { fullShop, openAs } from './shop.ts'

/** The five main jobs by keyboard alone. */

/** The most presses of Tab from one element of a job to the next. */
const TABS_MAX = 60

/** Presses Tab until an element has the focus, which shows. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < TABS_MAX && !(await isFocused()); presses += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
  const shows = target.evaluate((element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element)
    return outlineStyle !== 'none' || boxShadow !== 'none'
  })
  expect(await shows).toBe(true)
}

const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** Presses keys one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test('a link is made by keyboard, and the sidebar stays where it is', async ({ page, user }) => {
  await openConsole(page, user, '/console/default/payments')
  const sidebar = await page.locator('.sidebar').elementHandle()
  await press(page, 'n')
  await expect(title(page)).toHaveText('New link')
  await expect(title(page)).toBeFocused()
  await tabTo(page, page.getByLabel('What for'))
  await page.keyboard.type('Glaze course')
  await tabTo(page, page.getByRole('textbox', { name: 'Amount' }))
  await page.keyboard.type('280')
  await press(page, 'Control+Enter')
  await expect(title(page)).toHaveText('Glaze course')
  await expect(title(page)).toBeFocused()
  await tabTo(page, page.getByLabel('Address for the payer'))
  await expect(page).toHaveTitle('Glaze course – Checkstand')
  expect(await sidebar?.evaluate((element) => element.isConnected)).toBe(true)
})

test('a payment is found by keyboard', { tag: '@deep' }, async ({ page, baseURL }) => {
  const { email, ids } = await fullShop(baseURL ?? '')
  await openAs(page, email, '/console/default/links')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await press(page, 'g', 'p')
  await expect(title(page)).toHaveText('Payments')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await press(page, '/')
  await page.keyboard.type('order-1042')
  await press(page, 'Enter')
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await tabTo(page, page.locator('[data-row] a').first())
  await press(page, 'j', 'k', 'Enter')
  await expect(page).toHaveURL(new RegExp(`/payments/${ids.payment}$`))
  await expect(title(page)).toHaveText('€124.00')
})

test('a payment is refunded by keyboard', { tag: '@deep' }, async ({ page, baseURL }) => {
  const { email, ids } = await fullShop(baseURL ?? '')
  await openAs(page, email, `/console/default/payments/${ids.payment}`)
  await expect(title(page)).toHaveText('€124.00')
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    await press(page, 'r')
    await expect(dialog).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(dialog.getByLabel('Amount')).toBeFocused()
  await page.keyboard.type('5.00')
  await tabTo(page, dialog.getByRole('button', { name: 'Refund €5.00' }))
  await press(page, 'Enter')
  await expect(dialog.getByText('Done.')).toBeVisible()
  await press(page, 'Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('€5.00').first()).toBeVisible()
})

test('a sentence is changed by keyboard', { tag: '@deep' }, async ({ page, baseURL }) => {
  const { email } = await fullShop(baseURL ?? '')
  await openAs(page, email, '/console/default/links')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await press(page, 'g', 'w')
  await tabTo(page, page.getByRole('link', { name: 'Table' }))
  await press(page, 'Enter')
  await tabTo(page, page.getByLabel('Find a sentence'))
  await page.keyboard.type(base['receipt.thanks'])
  await tabTo(page, page.getByRole('rowheader', { name: 'receipt.thanks' }))
  await press(page, 'Enter')
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).toHaveValue(base['receipt.thanks'])
  await press(page, 'e')
  await expect(text).toBeFocused()
  await press(page, 'Control+a')
  await page.keyboard.type('Thanks from {merchant}.')
  const unpublished = page.getByRole('group', { name: '1 change' })
  await expect(unpublished).toBeVisible()
  await press(page, 'Control+Enter')
  await expect(unpublished).toBeHidden()
  await expect(text).toHaveValue('Thanks from {merchant}.')
})

test('an event is sent again by keyboard', { tag: '@deep' }, async ({ page, baseURL }) => {
  const { email } = await fullShop(baseURL ?? '')
  await openAs(page, email, '/console/default/links')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await press(page, 'g', 'v')
  await tabTo(page, page.getByRole('link', { name: 'https://shop.example/hooks' }))
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('button', { name: 'Send again' }).first())
  await press(page, 'Enter')
  await expect(page.getByText('It is sent again.')).toBeVisible()
})

test(
  'rows are chosen by keyboard, and ? shows every shortcut',
  { tag: '@deep' },
  async ({ page, baseURL }) => {
    const { email } = await fullShop(baseURL ?? '')
    await openAs(page, email, '/console/default/links')
    await expect(page.locator('[data-row]').nth(2)).toBeVisible()
    await press(page, 'j', 'x', 'j', 'j', 'Shift+X')
    await expect(page.getByText('3 chosen')).toBeVisible()
    await press(page, 'Control+a')
    const rows = await page.locator('[data-row]').count()
    await expect(page.getByText(`${rows} chosen`)).toBeVisible()
    await press(page, '?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(dialog.getByText('Choose up to here')).toBeVisible()
    await expectAccessible(page)
    await press(page, 'Escape')
    await expect(dialog).toBeHidden()
  },
)
