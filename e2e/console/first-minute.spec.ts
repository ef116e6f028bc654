import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpClient } from '../../test/client.ts'
import { SERVE, startProgram } from '../../test/program.ts'
import { expect, expectAccessible, OWN_CONTEXT } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { watchPolicy } from './fixtures.ts'

/** An action is an address that is opened, or a form or button that is pressed; typing belongs to it. */
const ACTIONS_MAX = 6
const SECONDS_MAX = 60

test(
  'the address that a new server prints leads to a paid link within a minute',
  { tag: OWN_CONTEXT },
  async ({ page, context }) => {
    const folder = mkdtempSync(join(tmpdir(), 'checkstand-first-minute-'))
    const program = await startProgram(
      `file:${join(folder, 'checkstand.db')}`,
      (port) => ({ BASE_URL: `http://localhost:${port}` }),
      // As `npm start` does.
      [...SERVE.slice(0, -1), 'demo'],
    )
    try {
      watchPolicy(page)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const [, printed = ''] = /Begin here: (\S+)/.exec(program.firstStart()) ?? []
      expect(program.output()).toContain('Begin here')
      const began = performance.now()
      let actions = 0
      const act = async (action: Promise<unknown>) => {
        actions += 1
        await action
      }

      await act(page.goto(printed))
      await page.getByLabel('Email').fill('ana@atelier.example')
      await page.getByLabel('Password').fill(PASSWORD)
      await act(page.getByRole('button').click())
      await expect(page).toHaveURL(/\/console\/start$/)
      await page.getByLabel('What is paid for').fill('Ceramics workshop')
      await page.getByRole('textbox', { name: 'Amount' }).fill('62')
      await act(page.getByRole('button', { name: 'Create the link and copy it' }).click())
      await expect(page.getByText('It is in your clipboard.')).toBeVisible()
      const url = await page.getByLabel('Address for the payer').inputValue()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
      await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()

      const opened = context.waitForEvent('page')
      await act(page.getByRole('link', { name: 'Pay it yourself' }).click())
      const payer = await opened
      await payer.getByLabel('Card number').fill('4242 4242 4242 4242')
      await payer.getByLabel('Expiry date').fill('12/40')
      await payer.getByLabel('Security code').fill('123')
      // The script of the page runs by now.
      await expect(payer.getByText('This is a Visa card.')).toBeAttached()
      await act(payer.getByRole('button', { name: 'Pay €62.00' }).click())
      await expect(payer.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
      expect((performance.now() - began) / 1000).toBeLessThan(SECONDS_MAX)
      expect(actions).toBeLessThanOrEqual(ACTIONS_MAX)

      const { api } = createHttpClient(program.base)
      const { json } = await api(`/payment_links/${url.split('/').at(-1)}`, {})
      expect(json['payment_link']).toMatchObject({
        status: 'PAYMENT_SUCCESS',
        options: { name: 'Ceramics workshop', amount: '62.00' },
      })
      await payer.close()
      await expectAccessible(page)
    } finally {
      program.process.kill()
      await program.ended
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
