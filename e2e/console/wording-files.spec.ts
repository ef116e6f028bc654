import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole, watchPolicy } from './fixtures.ts'

async function choose(page: Page, name: string, content: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByText('Choose a file, or drop it here').click()
  const buffer = Buffer.from(content)
  await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer })
}

async function save(page: Page, format: string): Promise<{ name: string; content: string }> {
  await page.getByLabel('Format').selectOption(format)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the file' }).click()
  const saved = await saving
  return { name: saved.suggestedFilename(), content: await readFile(await saved.path(), 'utf8') }
}

test(
  'sentences go into a file of any format, and come back into the draft',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/wording?view=files&lang=fr')
    await expect(page.getByRole('heading', { name: 'Export' })).toBeVisible()
    await expectAccessible(page)
    for (const format of ['CSV', 'JSON', 'XLIFF 1.2', 'XLIFF 2.0']) {
      const { name, content } = await save(page, format)
      await choose(page, name, content)
      await expect(page.getByText('0 sentences would change.')).toBeVisible()
    }
    await choose(page, 'strings.txt', '{}')
    await expect(page.getByRole('alert')).toContainText('neither JSON')
    await choose(page, 'strings.json', '{')
    await expect(page.getByRole('alert')).toContainText('content')
    await expectAccessible(page, 'dark')

    const { name, content } = await save(page, 'JSON')
    await choose(page, name, content.replace('"Payer {amount}"', '"Donner {amount}"'))
    await page.getByRole('button', { name: 'Take 1 change into the draft' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('group', { name: 'not published' })).toBeHidden()
    await choose(page, name, content)
    await expect(page.getByText('1 sentence would change.')).toBeVisible()
  },
)
