import { expect } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { OTHER_BROWSERS, type OtherBrowser } from '../other-browsers.ts'
import { test } from '../test.ts'

/** What a script on the payer's page learns, which runs in the page as text. */
const ATTACK = `
  const status = async (path, more) => (await fetch(path, more)).status
  const links = '/c/api/instances/default/payment_links'
  const opened = window.open('/console/me', 'other')
  const fetched = [
    await status('/console/me'),
    await status('/console/me', { mode: 'same-origin' }),
    await status('/console/preview'),
    await status('/console/factors'),
    await status(links, { headers: { 'Checkstand-Console': 'guess' } }),
    await status(links, { method: 'POST', body: '{}', headers: { 'Checkstand-Console': 'guess' } }),
  ]
  const frame = document.createElement('iframe')
  frame.src = '/console/me'
  document.body.append(frame)
  const worker = await Promise.race([
    navigator.serviceWorker.register('/console/me').then(() => 'registered', () => 'none'),
    new Promise((resolve) => setTimeout(() => resolve('none'), 5000)),
  ])
  let seen = []
  for (let tries = 0; tries < 20; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const each of [opened, frame.contentWindow]) {
      try {
        if (each?.document?.getElementById('boot')) seen.push(each.location.href)
      } catch {}
    }
  }
  return { fetched, worker, seen, isOpened: opened !== null }`

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
        const learned = await browser.run(ATTACK)
        // WebKit opens no window without a press of the user.
        expect(learned).toEqual({ ...NOTHING, isOpened: name === 'Firefox' })
      } finally {
        await browser.close()
      }
    },
  )
}
