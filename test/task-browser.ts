import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import type { ApiResponse } from './client.ts'
import { cardToken } from './payer-client.ts'
import type { Json } from './payments-client.ts'

/** The browser of a customer on a deep link to a task. */
export interface TaskBrowser {
  token: string
  /** The task as it was when the session was opened. */
  task: Json
  /** Calls the session, such as `/contract`. */
  call: (path: string, body?: object) => Promise<ApiResponse>
  /** Saves a card. */
  save: (card: string, attemptKey?: string) => Promise<ApiResponse>
  change: (change: string) => Promise<ApiResponse>
  /** Confirms at the bank, whose page has this URL, and comes back. Returns where to. */
  approveAtBank: (actionUrl: string) => Promise<URL>
}

/** Opens the session of a link's task. */
export async function openTaskBrowser(app: TestApp, linkId: string): Promise<TaskBrowser> {
  const { json, status, text } = await app.call(`/go/${linkId}/sessions`, { body: {} })
  expect(status, text).toBe(200)
  const headers = { authorization: `Bearer ${json.token}` }
  const call: TaskBrowser['call'] = (path, body) =>
    app.call(`/go/sessions/current${path}`, { headers, ...(body && { body }) })
  return {
    token: json.token,
    task: json.task,
    call,
    save: async (card, attempt_key = randomUUID()) =>
      call('/payment_method', {
        attempt_key,
        payment_method: { type: 'CARD', processor: 'sandbox', token: await cardToken(app, card) },
      }),
    change: (change) => call('/contract', { change }),
    async approveAtBank(actionUrl) {
      const { pathname } = new URL(actionUrl)
      const bank = await app.call(pathname, { method: 'POST', raw: 'choice=approve' })
      const back = new URL(bank.headers.get('location') as string)
      const returned = await app.call(back.pathname)
      return new URL(returned.headers.get('location') as string)
    },
  }
}
