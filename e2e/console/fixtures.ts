import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import { PASSWORD } from '../oauth-fixtures.ts'

/** Signs in as a user and opens an address of the console, such as `/console/default/links`. */
export async function openConsole(page: Page, email: string, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Fails the test when the page breaks its policy or asks another host. */
export function watchPolicy(page: Page): void {
  page.on('console', (message) => {
    expect(message.text()).not.toMatch(/Content Security Policy|TrustedHTML|Trusted Types/i)
  })
  page.on('request', (request) => {
    expect(new URL(request.url()).hostname).toBe('localhost')
  })
}

/** Calls the API as the console does: by the cookie of its user and the token of its page. */
export async function callApi<Result>(
  page: Page,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Result> {
  return page.evaluate(
    async ([verb, address, json]) => {
      const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as {
        token: string
      }
      const response = await fetch(`/c/api/instances/default${address}`, {
        method: verb,
        headers: { 'Checkstand-Console': boot.token, 'Content-Type': 'application/json' },
        ...(json !== undefined && { body: json }),
      })
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()) as Result
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}

/** Adds an authenticator that verifies its user to the browser of a page. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Opens a link as a payer without a page, and tries cards one after the other. */
export async function payLink(
  request: APIRequestContext,
  link: string,
  cards: readonly string[],
): Promise<void> {
  const opened = await request.post(`/pay/${link}/checkouts`, {
    data: {},
    headers: { 'Accept-Language': 'fr' },
  })
  const { token, checkout } = (await opened.json()) as {
    token: string
    checkout: { options_v: number }
  }
  const headers = { Authorization: `Bearer ${token}` }
  for (const number of cards) {
    const card = { number, exp_month: 12, exp_year: 2040, csc: '123' }
    const made = await request.post('/sandbox/tokens', { data: { card } })
    const sandbox = (await made.json()) as { token: string }
    const submitted = await request.post('/pay/checkouts/current/submit', {
      headers,
      data: {
        attempt_key: randomUUID(),
        options_v: checkout.options_v,
        payment_method: { type: 'CARD', processor: 'sandbox', token: sandbox.token },
      },
    })
    expect(submitted.status(), await submitted.text()).toBe(200)
  }
}
