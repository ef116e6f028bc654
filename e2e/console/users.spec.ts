import { randomUUID } from 'node:crypto'
import { expect, expectAccessible } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

test('an editor of one language is invited, signs in, and can do nothing else', async ({
  page,
  user,
  browser,
}) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/settings/users')
  await page.getByRole('button', { name: 'Invite a user' }).click()
  const dialog = page.getByRole('dialog')
  const email = `${randomUUID()}@shop.example`
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Editor').check()
  await dialog.getByLabel('All languages').uncheck()
  await dialog.getByLabel('French').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Invite a user' }).click()
  await expect(dialog.getByText('It is shown once')).toBeVisible()
  await expectAccessible(page, 'dark')
  const link = (await dialog.locator('.copy-text code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText('Invited')

  const other = await browser.newContext()
  const editor = await other.newPage()
  await editor.goto(link)
  await expectAccessible(editor)
  await editor.getByLabel('Password').first().fill(PASSWORD)
  await editor.getByLabel('Password').last().fill(PASSWORD)
  await editor.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(editor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(editor).toHaveURL(/\/console/)
  const publish = (language: string) =>
    callApi(editor, 'PUT', '/strings/methods.title', { string: { language, text: 'Payer' } })
  await publish('fr')
  await expect(publish('de')).rejects.toThrow('not of de')
  await expect(callApi(editor, 'GET', '/payments')).rejects.toThrow('payments:read')
  await expect(callApi(editor, 'GET', '/users')).rejects.toThrow('users:read')

  await page.getByRole('link', { name: email }).click()
  const panel = page.getByRole('complementary', { name: 'Details' })
  await expect(panel).toContainText('French')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Sign out' }).click()
  await expect(panel.getByText('Signed in nowhere.')).toBeVisible()
  await editor.reload()
  await expect(editor.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await other.close()
})
