import Database from 'better-sqlite3'
import { Secret, TOTP } from 'otpauth'
import { expect, expectAccessible, OWN_CONTEXT } from '../fixtures.ts'
import { newUser, PASSWORD } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { addAuthenticator, openConsole, watchPolicy } from './fixtures.ts'

const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

test(
  'a user adds an authenticator app, and signs in with its code',
  { tag: '@deep' },
  async ({ page }) => {
    const user = await newUser()
    watchPolicy(page)
    await openConsole(page, user, '/console/me')
    await page.getByRole('button', { name: 'Add an app' }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByRole('img', { name: 'QR code with the key for the app' }),
    ).toBeVisible()
    await expectAccessible(page)
    const secret = (await dialog.locator('.copy-text code').textContent()) ?? ''
    await dialog.getByLabel('The six digits').fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Add an app' }).click()
    await expect(dialog.getByRole('heading')).toHaveText('Your recovery codes')
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await expect(page.getByText('10 of 10 left')).toBeVisible()

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email').fill(user)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
    await expectAccessible(page)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toContainText('This code is wrong')
    // The code of this moment was spent by adding the app; that of the next one counts as well.
    await page.getByLabel('Code').fill(codeOf(secret, Date.now() + 30_000))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.goto('/console/me')
    await expect(page.getByText('10 of 10 left')).toBeVisible()
  },
)

/** Makes the proof of who a user is eleven minutes old. */
function ageSessions(email: string): void {
  const database = new Database('test-results/e2e-data/checkstand.db')
  database
    .prepare(
      `update user_sessions set authenticated = ?
        where user_id = (select id from users where email = ?)`,
    )
    .run(new Date(Date.now() - 11 * 60_000).toISOString(), email)
  database.close()
}

test(
  'a passkey signs in without a password, and proves who one is',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ page }) => {
    watchPolicy(page)
    await addAuthenticator(page)
    const user = await newUser()
    await openConsole(page, user, '/console/me')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Work laptop')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(dialog.getByRole('heading')).toHaveText('Your recovery codes')
    await expectAccessible(page, 'dark')
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await expect(page.getByText('Work laptop')).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill('Again')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText('has a passkey of yours already')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).toHaveURL(/\/console\//)

    ageSessions(user)
    await page.goto('/console/default/developers/keys?do=add')
    await dialog.getByLabel('Name').fill('Accounting')
    await dialog.getByLabel('Links and checkouts').selectOption('Read')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const proof = page.getByRole('dialog', { name: 'Is it still you?' })
    await expect(proof.getByLabel('Code')).toBeVisible()
    await expectAccessible(page)
    await proof.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByText('This is shown once.')).toBeVisible()

    // After the password, a passkey is the second factor.
    await page.goto('/console/me')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email').fill(user)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).toHaveURL(/\/console\//)

    await page.goto('/console/me')
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(dialog).toContainText('It is your only second factor')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('You have none yet.')).toBeVisible()
  },
)

test(
  'the password proves who one is, and a refusal leaves all as it was',
  { tag: '@deep' },
  async ({ page }) => {
    const user = await newUser()
    await openConsole(page, user, '/console/default/developers/keys?do=add')
    ageSessions(user)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Accounting')
    await dialog.getByLabel('Links and checkouts').selectOption('Read')
    const create = dialog.getByRole('button', { name: 'Create key' })
    await create.click()
    const proof = page.getByRole('dialog', { name: 'Is it still you?' })
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog.getByRole('alert')).toContainText('This needs a proof of who you are')
    await create.click()
    await proof.getByLabel('Password').fill('wrong')
    await proof.getByRole('button', { name: 'Continue' }).click()
    await expect(proof.getByRole('alert')).toContainText('This password is wrong')
    await expectAccessible(page, 'dark')
    await proof.getByLabel('Password').fill(PASSWORD)
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/secret_keys')) keys.push(request.headers()['idempotency-key'])
    })
    await proof.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('This is shown once.')).toBeVisible()
    expect(keys).toHaveLength(1)
  },
)

test(
  'a user who does nothing is warned, and then signed out',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ page }) => {
    await page.clock.install()
    await openConsole(page, await newUser(), '/console/me')
    await page.clock.fastForward('01:58:10')
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
    await expect(dialog).toContainText('You will be signed out in 2 minutes')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(dialog).toHaveCount(0)
    await page.clock.fastForward('02:00:10')
    await expect(page).toHaveURL(/\/sign-in/)
  },
)
