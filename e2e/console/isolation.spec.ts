import { expect, OWN_CONTEXT } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { OTHER_BROWSERS, type OtherBrowser } from '../other-browsers.ts'
import { test } from '../test.ts'
import { attackOn } from './attack.ts'
import { openConsole } from './fixtures.ts'

const SIGN_IN = (email: string) => `
  document.getElementById('email').value = ${JSON.stringify(email)}
  document.getElementById('password').value = ${JSON.stringify(PASSWORD)}
  setTimeout(() => document.querySelector('form').submit())`

async function untilHeading(browser: OtherBrowser, text: string): Promise<void> {
  const heading = () =>
    browser.run<string>(`return document.querySelector('h1')?.textContent ?? ''`).catch(String)
  await expect.poll(heading).toBe(text)
}

/** A script learns nothing, and does nothing. */
const NOTHING = { fetched: [403, 403, 403, 401, 401, 401], worker: 'none', seen: [] }

test(
  'in Chromium, a script on the payer’s page cannot read the console, nor act in it',
  { tag: OWN_CONTEXT },
  async ({ page, user, merchant }) => {
    await openConsole(page, user, '/console/me')
    await page.goto((await merchant.createLink()).url)
    expect(await page.evaluate(`(async () => {${attackOn('', 1)}})()`)).toEqual({
      ...NOTHING,
      isOpened: true,
    })
  },
)

for (const [name, open] of Object.entries(OTHER_BROWSERS)) {
  test(
    `in ${name}, a script on the payer’s page cannot read the console, nor act in it`,
    { tag: '@deep' },
    async ({ baseURL, user, merchant }) => {
      test.skip(open === undefined, `${name} is not installed`)
      const browser = await open?.()
      if (!browser) return
      try {
        await browser.goto(`${baseURL}/sign-in?return=/console/me`)
        await browser.run(SIGN_IN(user))
        await untilHeading(browser, 'Your account')
        await browser.goto((await merchant.createLink()).url)
        const learned = await browser.run(attackOn())
        // WebKit opens no window without a press of the user.
        expect(learned).toEqual({ ...NOTHING, isOpened: name === 'Firefox' })
      } finally {
        await browser.close()
      }
    },
  )
}
