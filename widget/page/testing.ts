import { model } from '../gallery/models.ts'
import type { CheckoutView, PageModel } from '../../shared/page-model.ts'
import { createCheckout, type Environment } from './checkout.ts'
import { createPaymentFlow } from './payment-flow.ts'
import { createTokenStore } from './token-store.ts'

/** A checkout without a browser: a server that the test speaks for, and a clock that it turns. */

export interface Asked {
  path: string
  query: URLSearchParams
  body: Record<string, unknown> | undefined
  authorization: string | undefined
}

/** The answer to one request: JSON with a status, or a connection that breaks. */
export type Reply =
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | 'LOST'
  | 'NEVER'

interface Timer {
  at: number
  act: () => void
}

/** Lets every promise that is already settled be heard. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
}

export function setUp(
  start: PageModel = model(),
  stored?: string,
  around: Partial<Environment> = {},
) {
  let clock = Date.parse('2031-03-14T15:00:00.000Z')
  let timers: Timer[] = []
  let keys = 0
  const asked: Asked[] = []
  const went: string[] = []
  const replies: { open: Reply[]; current: Reply[]; submit: Reply[]; tokens: Reply[] } = {
    open: [],
    current: [],
    submit: [],
    tokens: [],
  }
  const storage = fakeStorage()
  const tokens = createTokenStore(() => storage)
  const link = start.payment_link
  if (stored !== undefined && link !== null) tokens.write(link, stored)
  const session = sessionOf(start.checkout)

  function replyTo(path: string): Reply {
    if (path.endsWith('/submit')) return replies.submit.shift() ?? 'LOST'
    if (path.endsWith('/current')) return replies.current.shift() ?? { json: { checkout: session } }
    if (path === '/sandbox/tokens') return replies.tokens.shift() ?? { json: { token: 'tok_1' } }
    return replies.open.shift() ?? { json: { token: 'ckt_1', checkout: session } }
  }

  const fetch = (async (input: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>
    const [path = '', query] = input.split('?')
    asked.push({
      path,
      query: new URLSearchParams(query),
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as Asked['body']) : undefined,
      authorization: headers['Authorization'],
    })
    const reply = replyTo(path)
    if (reply === 'LOST') throw new TypeError('network')
    if (reply === 'NEVER') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    const { status = 200, headers: answered = {} } = reply
    return new Response(JSON.stringify(reply.json), { status, headers: answered })
  }) as typeof globalThis.fetch

  const made = createCheckout(start, {
    fetch,
    later(act, ms) {
      const timer = { at: clock + ms, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    tokens,
    newKey: () => `key-${(keys += 1)}`,
    now: () => clock,
    go: (url) => went.push(url),
    ...around,
  })

  /** Turns the clock on, timer by timer. */
  async function pass(ms: number): Promise<void> {
    const end = clock + ms
    for (;;) {
      await settled()
      const due = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      clock = due.at
      timers = timers.filter((other) => other !== due)
      due.act()
    }
    clock = end
    await settled()
  }

  const checkout = { ...made, ...createPaymentFlow(made.paying) }
  const submits = () => asked.filter(({ path }) => path.endsWith('/submit'))
  return { checkout, asked, submits, replies, went, tokens, pass, session }
}

/** The view of a model once its session is open. */
export function sessionOf(view: CheckoutView, changes: Partial<CheckoutView> = {}): CheckoutView {
  return {
    ...view,
    id: 'ck_1',
    now: '2031-03-14T15:00:00.000Z',
    expires: '2031-03-14T16:00:00.000Z',
    ...changes,
  }
}

function fakeStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as Storage
}
