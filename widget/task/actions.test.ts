import { describe, expect, it } from 'vitest'
import { ADD, MANAGE, pageOf } from '../gallery/task-scenes.ts'
import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'
import { loadAllChunks } from '../page/load-chunks.ts'
import { createTask } from './create-task.ts'

await loadAllChunks()

type Reply = { status?: number; json?: unknown; headers?: Record<string, string> } | 'LOST'

const PAUSED = { ...MANAGE, contract: { ...MANAGE.contract, status: 'PAUSED' } } as DeepLinkTask
const withOutcome = (outcome: 'SAVED' | 'PENDING' | 'DECLINED'): DeepLinkTask => ({
  ...ADD,
  result: { outcome, message_id: null, action_url: null, payment_method: null },
})
const opens = (task: DeepLinkTask, token = 'dst_1'): Reply => ({
  json: { status: 'OPEN', token, free_at: null, task },
})
const GONE: Reply = { status: 410, json: {} }
const ENDED: Reply = { status: 401, json: {} }

/** A page of a task without a browser. The replies to `/go/` are taken in turn. */
function setUp(start: DeepLinkTask, replies: Reply[]) {
  const requests: { path: string; token: string | undefined; body: Record<string, unknown> }[] = []
  let token: string | null = null
  let keys = 0
  const fetch = async (path: string, init: RequestInit) => {
    const { Authorization } = init.headers as Record<string, string>
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    if (path === '/sandbox/tokens') return new Response('{"token":"tok_1"}')
    requests.push({ path, token: Authorization, body })
    const reply = replies.shift() ?? 'LOST'
    if (reply === 'LOST') throw new TypeError('network')
    const { status = 200, headers = {} } = reply
    return new Response(JSON.stringify(reply.json), { status, headers })
  }
  const { page, task } = createTask(
    pageOf(start),
    {
      fetch: fetch as typeof globalThis.fetch,
      setTimer: () => () => {},
      tokens: { read: () => null, write: () => {} },
      newAttemptKey: () => '',
      now: () => Date.parse('2031-03-14T15:00:00.000Z'),
      navigate: () => {},
    },
    {
      readToken: () => token,
      writeToken: (next) => (token = next),
      newKey: () => `key-${(keys += 1)}`,
      navigate: () => {},
      wait: () => Promise.resolve(),
      isReturn: false,
    },
  )
  const { values } = page.form
  values.number.value = '4242424242424242'
  values.expiry.value = '12 / 34'
  values.csc.value = '123'
  return {
    ...task,
    requests,
    notice: () => page.checkout.notice.value,
    /** Requests by the last part of their path. */
    sent: (name: string) => requests.filter(({ path }) => path.endsWith(name)),
  }
}

describe('the page of a task', () => {
  it('opens a new session when its own has ended, and goes on', async () => {
    const test = setUp(MANAGE, [
      opens(MANAGE),
      ENDED,
      opens(MANAGE, 'dst_2'),
      { json: { task: PAUSED } },
    ])
    await test.actions.open()
    await test.actions.change('PAUSE')
    expect(test.sent('/contract').map(({ token }) => token)).toEqual([
      'Bearer dst_1',
      'Bearer dst_2',
    ])
    expect(test.store.task.value?.contract?.status).toBe('PAUSED')
    expect(test.notice()).toEqual({ tone: 'news', id: 'tasks.paused_now' })
  })

  it('sends a method again with the same key when the answer is lost', async () => {
    const replies: Reply[] = [opens(ADD), 'LOST', { json: { task: withOutcome('SAVED') } }]
    const test = setUp(ADD, replies)
    await test.actions.open()
    await test.actions.saveMethod()
    const bodies = test.sent('/payment_method').map(({ body }) => body)
    expect(bodies.map((body) => body['attempt_key'])).toEqual(['key-1', 'key-1'])
    expect(test.store.task.value?.result?.outcome).toBe('SAVED')
    expect(test.notice()).toBeNull()
  })

  it('never says that a method was declined when the outcome is unknown', async () => {
    for (const answer of ['LOST', { json: { task: withOutcome('PENDING') } }] as Reply[]) {
      const test = setUp(ADD, [opens(ADD), ...Array.from({ length: 20 }, () => answer)])
      await test.actions.open()
      await test.actions.saveMethod()
      expect(test.notice()?.id).toBe('tasks.pending')
    }
  })

  it('shows the outcome of a method that was under way when the page was opened again', async () => {
    const test = setUp(ADD, [
      opens(withOutcome('PENDING')),
      { json: { task: withOutcome('PENDING') } },
      { json: { task: withOutcome('SAVED') } },
    ])
    await test.actions.open()
    expect(test.store.task.value?.result?.outcome).toBe('SAVED')
  })

  it('says when a customer with too many declined cards may try again', async () => {
    const tooMany: Reply = { status: 429, json: {}, headers: { 'Retry-After': '3600' } }
    const test = setUp(ADD, [opens(ADD), tooMany])
    await test.actions.open()
    await test.actions.saveMethod()
    expect(test.notice()).toMatchObject({ id: 'tasks.too_many', values: { time: '5:00 PM' } })
  })

  it('shows the contract as it is when a change is refused', async () => {
    const refused: Reply = { status: 400, json: {} }
    const test = setUp(MANAGE, [opens(MANAGE), refused, opens(PAUSED)])
    await test.actions.open()
    await test.actions.change('PAUSE')
    expect(test.notice()?.id).toBe('tasks.not_changed')
    expect(test.store.task.value?.contract?.status).toBe('PAUSED')
  })

  it('reaches the server at the next press after it could not be reached', async () => {
    const test = setUp(ADD, ['LOST', opens(ADD), { json: { task: withOutcome('SAVED') } }])
    await test.actions.open()
    expect([test.store.step.value, test.notice()?.id]).toEqual([
      'unreachable',
      'tasks.no_connection',
    ])
    await test.actions.saveMethod()
    expect(test.store.task.value?.result?.outcome).toBe('SAVED')
  })

  it('waits while another browser has the session, and takes its turn', async () => {
    const inUse = { status: 'IN_USE', token: null, free_at: '2031-03-14T15:34:00.000Z', task: null }
    const test = setUp(MANAGE, [{ json: inUse }, opens(MANAGE)])
    await test.actions.open()
    expect([test.store.step.value, test.store.freeAt.value]).toEqual(['in_use', inUse.free_at])
    await test.actions.open()
    expect(test.store.step.value).toBe('open')
  })

  it('ends with the link', async () => {
    const atOnce = setUp(MANAGE, [GONE])
    await atOnce.actions.open()
    expect(atOnce.store.step.value).toBe('over')
    const later = setUp(MANAGE, [opens(MANAGE), GONE])
    await later.actions.open()
    await later.actions.change('CANCEL')
    expect([later.store.step.value, later.notice()]).toEqual(['over', null])
  })
})
