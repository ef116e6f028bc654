import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic } from '../../test/client.ts'
import { PROGRAM_KEY, startProgram } from '../../test/program.ts'
import { expect, expectAccessible, OWN_CONTEXT } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { attackOn } from './attack.ts'
import { addAuthenticator } from './fixtures.ts'

test(
  'a console on a host of its own asks for a second factor, and is out of the payer’s reach',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ page }) => {
    const folder = mkdtempSync(join(tmpdir(), 'checkstand-own-host-'))
    const email = 'ada@shop.example'
    const program = await startProgram(`file:${join(folder, 'checkstand.db')}`, (port) => ({
      CONSOLE_URL: `http://localhost:${port}`,
      REQUIRE_MFA: 'always',
      CHECKSTAND_ADMIN_EMAIL: email,
      CHECKSTAND_ADMIN_PASSWORD: PASSWORD,
    }))
    const consoleUrl = program.base.replace('127.0.0.1', 'localhost')
    try {
      await addAuthenticator(page)
      await page.goto(`${program.base}/console/default/links`)
      await expect(page).toHaveURL(`${consoleUrl}/sign-in?return=%2Fconsole%2Fdefault%2Flinks`)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a second factor first')
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Add a second factor' }).click()
      const policy = page.getByText('This server requires a second factor.', { exact: true })
      await expect(policy).toBeVisible()
      await expectAccessible(page, 'dark')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Laptop')
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      await dialog.getByRole('button', { name: 'I have kept them' }).click()
      await page.goto(`${consoleUrl}/console/default/links`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Links')

      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await expect(page).toHaveURL(new RegExp(`^${consoleUrl}/console/`))

      const made = await fetch(`${program.base}/c/api/instances/default/payment_links`, {
        method: 'POST',
        headers: { authorization: basic(`${PROGRAM_KEY}:`), 'content-type': 'application/json' },
        body: JSON.stringify({ payment_link: { options: { amount: '24.00', currency: 'EUR' } } }),
      })
      const { payment_link: link } = (await made.json()) as { payment_link: { url: string } }
      const elsewhere = await page.goto(link.url.replace(program.base, consoleUrl))
      expect(elsewhere?.status()).toBe(421)
      await page.goto(link.url)
      await expect(page.getByRole('button', { name: /^Pay/ })).toBeVisible()
      expect(await page.evaluate(`(async () => {${attackOn(consoleUrl)}})()`)).toEqual({
        fetched: Array.from({ length: 6 }, () => 'TypeError'),
        worker: 'none',
        seen: [],
        isOpened: true,
      })
      expect(await page.context().cookies(program.base)).toEqual([])
    } finally {
      program.process.kill()
      await program.ended
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
