import type {
  CheckoutResult,
  CheckoutView,
  PageModel,
  SubmitResponse,
} from '../../shared/page-model.ts'
import { model, result } from '../scenes/models.ts'
import { createCheckout, type Environment } from './checkout.ts'
import type { Submission } from './form-input.ts'
import { createPaymentFlow } from './payment-flow.ts'
import { createTokenStore } from './token-store.ts'

/** A checkout without a browser: the test sets the server's replies and advances the clock. */

export interface SentRequest {
  path: string
  query: URLSearchParams
  body: Record<string, unknown> | undefined
  authorization: string | undefined
}

/** LOST breaks the connection; NEVER leaves the request open. */
export type Reply =
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | 'LOST'
  | 'NEVER'

/** What a test pays with. */
export const CARD: Submission = {
  currency: 'EUR',
  payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_1' },
}

/** A reply to a submit. */
export const outcome = (
  name: SubmitResponse['outcome'],
  more: Omit<SubmitResponse, 'outcome'> = {},
): Reply => ({ json: { outcome: name, ...more } })

/** An error reply. */
export const refusal = (status: number, message = 'x', headers = {}): Reply => ({
  status,
  json: { error: { message } },
  headers,
})

interface Timer {
  at: number
  act: () => void
}

/** Runs the callbacks of all settled promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
}

export function setUp(
  start: PageModel = model(),
  storedToken?: string,
  environment: Partial<Environment> = {},
) {
  let clock = Date.parse('2031-03-14T15:00:00.000Z')
  let timers: Timer[] = []
  let keys = 0
  const requests: SentRequest[] = []
  const navigations: string[] = []
  const replies: { open: Reply[]; current: Reply[]; submit: Reply[]; tokens: Reply[] } = {
    open: [],
    current: [],
    submit: [],
    tokens: [],
  }
  const storage = memoryStorage()
  const tokens = createTokenStore(() => storage)
  const { sessions } = start
  if (storedToken !== undefined && sessions !== null) tokens.write(sessions, storedToken)
  const session = sessionOf(start.checkout)

  function replyTo(path: string): Reply {
    if (path.endsWith('/submit')) return replies.submit.shift() ?? 'LOST'
    if (path.endsWith('/current')) return replies.current.shift() ?? { json: { checkout: session } }
    if (path === '/sandbox/tokens') return replies.tokens.shift() ?? { json: { token: 'tok_1' } }
    return replies.open.shift() ?? { json: { token: 'ckt_1', checkout: session } }
  }

  const fetch = (async (input: string, init: RequestInit) => {
    const requestHeaders = init.headers as Record<string, string>
    const [path = '', query] = input.split('?')
    requests.push({
      path,
      query: new URLSearchParams(query),
      body:
        typeof init.body === 'string' ? (JSON.parse(init.body) as SentRequest['body']) : undefined,
      authorization: requestHeaders['Authorization'],
    })
    const reply = replyTo(path)
    if (reply === 'LOST') throw new TypeError('network')
    if (reply === 'NEVER') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    const { status = 200, headers = {} } = reply
    return new Response(JSON.stringify(reply.json), { status, headers })
  }) as typeof globalThis.fetch

  const created = createCheckout(start, {
    fetch,
    setTimer(act, ms) {
      const timer = { at: clock + ms, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    tokens,
    newAttemptKey: () => `key-${(keys += 1)}`,
    now: () => clock,
    navigate: ({ url }) => navigations.push(url),
    ...environment,
  })

  /** Advances the clock, timer by timer. */
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

  const flow = createPaymentFlow(created.flow)
  const checkout = {
    ...created,
    ...flow,
    pay: (prepare: Parameters<typeof flow.pay>[1] = async () => CARD) =>
      flow.pay(created.checkout.value, prepare),
  }
  function press(submit?: Reply, current?: Reply): Promise<void> {
    if (submit) replies.submit.push(submit)
    if (current) replies.current.push(current)
    return checkout.pay()
  }
  const view = (changes?: Partial<CheckoutView>) => ({
    json: { checkout: sessionOf(session, changes) },
  })
  return {
    checkout,
    requests,
    submits: () => requests.filter(({ path }) => path.endsWith('/submit')),
    replies,
    navigations,
    tokens,
    pass,
    session,

    /** Pays and awaits the outcome. Sets the replies to the submit and to the next reading. */
    async pay(submit?: Reply, current?: Reply): Promise<void> {
      const paid = press(submit, current)
      await pass(0)
      await paid
    },

    /** Starts a payment without awaiting it, for slow responses. */
    async press(submit?: Reply, current?: Reply): Promise<void> {
      void press(submit, current)
      await pass(0)
    },

    /** A reply with the session. */
    view,

    /** A reply with the session and its result. */
    shows: (changes?: Partial<CheckoutResult>) => view({ result: result(changes) }),

    /** A reply with a new session. */
    opens: (token: string, changes?: Partial<CheckoutView>) => ({
      json: { token, checkout: sessionOf(session, changes) },
    }),
  }
}

/** A checkout that has opened its session. */
export async function started(...options: Parameters<typeof setUp>) {
  const test = setUp(...options)
  await test.checkout.start()
  return test
}

/** A checkout that can be paid at once. */
export async function ready(start?: PageModel) {
  const test = await started(start)
  await test.checkout.prepare()
  return test
}

/** The view of an open session. */
export function sessionOf(view: CheckoutView, changes: Partial<CheckoutView> = {}): CheckoutView {
  return {
    ...view,
    id: 'ck_1',
    now: '2031-03-14T15:00:00.000Z',
    expires: '2031-03-14T16:00:00.000Z',
    ...changes,
  }
}

function memoryStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as Storage
}
