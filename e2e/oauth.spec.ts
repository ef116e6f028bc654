import type { Page } from '@playwright/test'
import { expect, expectAccessible, OWN_CONTEXT } from './fixtures.ts'
import { PASSWORD } from './oauth-fixtures.ts'
import { test } from './test.ts'

/** The authorization code grant (RFC 6749) of a platform, from consent page to code. */

// In one worker, since its fixtures start the command line four times.
test.describe.configure({ mode: 'default' })

test.beforeEach(({ page }) => {
  page.on('console', (message) => {
    expect(message.text()).not.toMatch(/Content Security Policy/i)
  })
})

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Clicks a button of the consent page, which ignores clicks until the pointer has entered the page. */
async function decide(page: Page, name: 'Approve' | 'Deny'): Promise<void> {
  const button = page.getByRole('button', { name })
  // The pointer must move on the consent page, not on the page before it.
  await button.waitFor()
  await page.mouse.move(1, 1)
  await button.click()
}

const approve = (page: Page) => decide(page, 'Approve')
const consentShown = (page: Page) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText('Ledgerly asks for access')

/** Waits for the platform's page and returns the parameters it received. */
async function sentBack(page: Page): Promise<URLSearchParams> {
  await expect(page.getByRole('heading', { name: 'Connected' })).toBeVisible()
  return new URL(page.url()).searchParams
}

test('a merchant signs in, approves and returns to the platform with a code', async ({
  baseURL,
  page,
  platform,
  user,
}) => {
  await page.goto(platform.url)
  await page.getByRole('link', { name: 'Connect' }).click()
  await expect(page.getByText('Sign in to connect Ledgerly.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectAccessible(page)
  await signIn(page, user)
  await consentShown(page)
  await expect(page.getByText('Corner Shop')).toBeVisible()
  await expect(page.getByText('Test mode')).toBeVisible()
  await expect(page.getByText('Payments and refunds')).toBeVisible()
  await expect(page.getByText(/The access ends on .+ 20\d\d/)).toBeVisible()
  await expectAccessible(page, 'dark')
  await approve(page)
  const sent = await sentBack(page)
  expect([...sent.keys()]).toEqual(['tenant', 'code', 'state'])
  expect([sent.get('tenant'), sent.get('state')]).toEqual(['7', 'käse & co'])
  const { access_token } = await platform.exchange(sent.get('code') ?? '')
  const headers = { authorization: `Bearer ${access_token}` }
  const answer = await fetch(`${baseURL}/c/api/instances/default`, { headers })
  expect(((await answer.json()) as { instance: { name: string } }).instance.name).toBe(
    'Corner Shop',
  )
  // Back shows the form again, and a second approval is a new one.
  await page.goBack()
  await consentShown(page)
  await approve(page)
  expect((await sentBack(page)).get('code')).not.toBe(sent.get('code'))
})

test(
  'a wrong password shows an error and keeps the email, and a merchant who denies returns without a code',
  { tag: '@deep' },
  async ({ page, platform, user }) => {
    await page.goto(platform.authorise())
    await signIn(page, user, 'wrong')
    await expect(page.getByRole('alert')).toHaveText('The email or the password is wrong.')
    await expect(page.getByLabel('Email')).toHaveValue(user)
    await expect(page.getByLabel('Password')).toBeFocused()
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/wrong/)
    await expectAccessible(page)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await consentShown(page)
    await decide(page, 'Deny')
    expect(Object.fromEntries(await sentBack(page))).toEqual({
      tenant: '7',
      error: 'access_denied',
      error_description: 'the user did not approve',
      state: 'käse & co',
    })
  },
)

test('a click that was meant for a window above the page approves nothing', async ({
  page,
  platform,
  user,
}) => {
  await page.goto(platform.authorise())
  await signIn(page, user)
  await consentShown(page)
  await page.mouse.move(-10, -10)
  const button = page.getByRole('button', { name: 'Approve' })
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  if (!box) throw new Error('there is no button')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const hit = () =>
    page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.tagName, [x, y] as const)
  await expect.poll(hit).toBe('DIV')
  await page.evaluate(() => {
    const note = ({ target }: MouseEvent) => {
      document.title = (target as Element).tagName
    }
    addEventListener('mousemove', note, { once: true })
  })
  await page.mouse.move(x, y)
  await expect(page).toHaveTitle('DIV')
  await expect.poll(hit).toBe('BUTTON')
})

test(
  'one of several instances can be chosen with the keyboard alone',
  { tag: '@deep' },
  async ({ baseURL, chain, page, platform }) => {
    await page.goto(platform.authorise())
    await page.keyboard.type(chain)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await consentShown(page)
    await expectAccessible(page)
    const choice = page.getByRole('radio', { name: /Catering/ })
    await expect(choice).not.toBeChecked()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await expect(choice).toBeChecked()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused()
    await page.keyboard.press('Enter')
    const { access_token } = await platform.exchange((await sentBack(page)).get('code') ?? '')
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${baseURL}/c/api/instances/events`, { headers })).status).toBe(200)
    expect((await fetch(`${baseURL}/c/api/instances/default`, { headers })).status).toBe(404)
  },
)

test(
  'a submit without a choice approves nothing and shows an error',
  { tag: '@deep' },
  async ({ chain, page, platform }) => {
    await page.goto(platform.authorise())
    await signIn(page, chain)
    await consentShown(page)
    await approve(page)
    // First the validation of the browser, then that of the server.
    await expect(page.getByRole('radio').first()).toBeFocused()
    await page
      .locator('form')
      .first()
      .evaluate((form) => form.setAttribute('novalidate', ''))
    await approve(page)
    await expect(page.getByRole('alert')).toHaveText('Choose one of these.')
    await expectAccessible(page)
  },
)

test.describe('without JavaScript', { tag: OWN_CONTEXT }, () => {
  test.use({ javaScriptEnabled: false })
  test('sign-in and approval work', { tag: '@deep' }, async ({ page, platform, user }) => {
    await page.goto(platform.authorise())
    await signIn(page, user, 'wrong')
    await expect(page.getByRole('alert')).toBeVisible()
    await signIn(page, user)
    await consentShown(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, user)
    await approve(page)
    expect((await sentBack(page)).get('code')).toMatch(/^cd_/)
  })
})

test(
  'a window that the platform opened keeps its opener',
  { tag: '@deep' },
  async ({ page, platform, user }) => {
    await page.goto(platform.url)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Connect in a window' }).click()
    const popup = await opened
    await signIn(popup, user)
    await approve(popup)
    await expect(page).toHaveTitle('connected')
  },
)

test(
  'a callback may redirect to another host of the platform',
  { tag: '@deep' },
  async ({ page, platform, user }) => {
    await page.goto(platform.authorise({ redirect_url: `${platform.url}/hop` }))
    await signIn(page, user)
    await approve(page)
    await expect(page.getByRole('heading', { name: 'Elsewhere' })).toBeVisible()
  },
)

test('the platform cannot frame the pages', async ({ page, platform }) => {
  page.removeAllListeners('console')
  await page.goto(`${platform.url}/frame`)
  const frame = page.frames()[1]
  await expect(async () => expect(frame?.url()).toMatch(/^chrome-error:/)).toPass()
})

test('the root URL links to the sign-in page', { tag: '@deep' }, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payments are taken here')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test(
  'a request from an unknown client shows an error and does not redirect',
  { tag: '@deep' },
  async ({ page }) => {
    await page.goto(`/oauth/authorize?client_id=oc_1&redirect_url=https://evil.example`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This connection cannot be made',
    )
    await expect(page.getByRole('link')).toHaveCount(0)
    await expectAccessible(page, 'dark')
  },
)

for (const [language, direction] of [
  ['ar', 'rtl'],
  ['de', 'ltr'],
] as const) {
  test(
    `the pages fit a small phone in ${language}`,
    { tag: '@deep' },
    async ({ chain, page, platform }) => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.goto(platform.authorise({ lang: language }))
      const fits = async (scheme: 'light' | 'dark') => {
        await expect(page.locator('html')).toHaveAttribute('dir', direction)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
        await expectAccessible(page, scheme)
      }
      await fits('dark')
      await page.locator('#email').fill(chain)
      await page.locator('#password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('radio')).toHaveCount(2)
      await fits('light')
    },
  )
}
