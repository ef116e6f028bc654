import { batch } from '@preact/signals'
import type { DeepLinkTask, OpenTaskResponse } from '../../shared/schemas/deep-link-task.ts'
import type { ApiRequest, ApiResult } from '../page/api.ts'
import { fieldsWithErrors } from '../page/fields.ts'
import { checkForm } from '../page/form-input.ts'
import { chunksFor, loadChunks } from '../page/load-chunks.ts'
import { adapterOf } from '../page/methods/adapter-of.ts'
import type { PayPage } from '../page/page-context.ts'
import type { Notice } from '../page/store.ts'
import type { StringId } from '../page/translator.ts'
import { clockTime } from './clock-time.ts'
import type { TaskStore } from './task-store.ts'

export type TaskActions = ReturnType<typeof createActions>

interface Browser {
  readToken: () => string | null
  writeToken: (token: string | null) => void
  newKey: () => string
  navigate: (url: string) => void
  wait: (ms: number) => Promise<void>
  /** The customer has just come back from a bank. */
  isReturn: boolean
}

export type ContractChange = 'CANCEL' | 'PAUSE' | 'RESUME'

const POLL_MS = 2_000
const POLLS_MAX = 10
/** How often a request is sent whose answer was lost. The server does the same once only. */
const SENDS_MAX = 3
const SEND_MS = 60_000

/** What is said when a request fails: without an answer, and when the server refuses it. */
interface Explanations {
  unknown: StringId
  refused: StringId
}

const NOT_REACHED: Explanations = { unknown: 'tasks.no_connection', refused: 'tasks.no_connection' }

const DONE: Readonly<Record<ContractChange, StringId>> = {
  CANCEL: 'tasks.cancelled',
  PAUSE: 'tasks.paused_now',
  RESUME: 'tasks.resumed',
}

/** What the page asks of the server. Nothing throws: what goes wrong is said above the form. */
export function createActions(
  { checkout, form }: Pick<PayPage, 'checkout' | 'form'>,
  store: TaskStore,
  browser: Browser,
) {
  const { send } = checkout

  /** Says what came of the work, which ends with it. */
  function say(id: StringId, more: Partial<Notice> = {}): void {
    batch(() => {
      // A field of a locked form cannot be focused.
      checkout.step.value = 'form'
      checkout.notice.value = { tone: 'problem', id, ...more }
      checkout.focusRequests.value += 1
    })
  }

  /** Opens the session, or goes on with the one of this browser. Returns the task if it is open. */
  async function openSession(): Promise<DeepLinkTask | undefined> {
    const response = await send<OpenTaskResponse>({
      path: `/go/${store.link}/sessions`,
      body: { token: browser.readToken(), language: checkout.checkout.value.language },
    })
    if (response.kind !== 'OK') {
      store.step.value = 'unreachable'
      explain(response, NOT_REACHED)
      return undefined
    }
    const { token, task, free_at } = response.value
    store.freeAt.value = free_at
    store.step.value = task === null ? 'in_use' : 'open'
    if (task === null) return undefined
    browser.writeToken(token)
    store.task.value = task
    return task
  }

  /** Says why the server did nothing, or `unknown` where it is not known whether it did. */
  function explain(
    response: Exclude<ApiResult<unknown>, { kind: 'OK' }>,
    { unknown, refused }: Explanations,
  ): void {
    if (response.kind === 'UNREACHABLE') return say(unknown)
    const { status, headers } = response
    if (status === 404 || status === 410) {
      browser.writeToken(null)
      store.step.value = 'over'
    } else if (status === 429) {
      const seconds = Number(headers.get('Retry-After')) || 60
      const time = clockTime(checkout.checkout.value, checkout.time() + seconds * 1000)
      say('tasks.too_many', { values: { time } })
    } else say(refused)
  }

  /**
   * Sends a request of the session, again where the answer is lost, and in a new session where the
   * session has ended. Says what went wrong.
   */
  async function sendInSession<T>(
    request: ApiRequest,
    explanations: Explanations,
  ): Promise<ApiResult<T>> {
    let response: ApiResult<T> = { kind: 'UNREACHABLE' }
    for (let sent = 0; sent < SENDS_MAX && response.kind === 'UNREACHABLE'; sent += 1) {
      if (sent > 0) await browser.wait(POLL_MS)
      response = await sendOnce<T>(request)
    }
    if (response.kind === 'REFUSED' && response.status === 401) {
      if (!(await openSession())) return response
      response = await sendOnce<T>(request)
    }
    if (response.kind !== 'OK') explain(response, explanations)
    return response
  }

  const sendOnce = <T>(request: ApiRequest) =>
    send<T>({ ...request, token: browser.readToken() ?? '' })

  /** Shows a task as the server says that it is. Returns whether the outcome of a method is known. */
  function show(task: DeepLinkTask): boolean {
    store.task.value = task
    const { outcome, action_url } = task.result ?? {}
    if (outcome === 'ACTION' && action_url) {
      store.step.value = 'at_bank'
      browser.navigate(action_url)
    } else if (outcome === 'DECLINED') say('tasks.declined')
    else if (outcome === 'SAVED' && store.action === 'MANAGE_CONTRACT') {
      store.editing.value = false
      say('tasks.saved_title', { tone: 'news' })
    }
    return outcome !== 'PENDING'
  }

  async function poll(): Promise<void> {
    for (let tries = 0; tries < POLLS_MAX; tries += 1) {
      await browser.wait(POLL_MS)
      const response = await sendOnce<{ task: DeepLinkTask }>({ path: '/go/sessions/current' })
      if (response.kind === 'OK' && show(response.value.task)) return
    }
    say('tasks.pending')
  }

  /** Runs `act` while the form is locked. */
  async function whileSaving(act: () => Promise<void>): Promise<void> {
    checkout.step.value = 'submitting'
    checkout.announcement.value = { id: 'tasks.saving' }
    try {
      await act()
    } catch {
      say('tasks.no_connection')
    } finally {
      checkout.step.value = 'form'
      checkout.announcement.value = null
    }
  }

  async function saveMethod(): Promise<void> {
    if (store.step.value !== 'open' && !(await openSession())) return
    await loadChunks(['pay', ...chunksFor({ checkout, form })])
    const input = form.input()
    const errors = checkForm(input, checkout.checkout.value, checkout.time())
    form.errors.value = errors
    const count = fieldsWithErrors(errors).length
    if (count > 0) return say('status.fields', { values: { count } })
    const offered = input.choice?.offered
    const adapter = offered && adapterOf(offered)
    if (!offered || !adapter) return say('tasks.no_connection')
    const tokenized = await adapter.tokenize(input.values, send, checkout.time(), offered)
    if (tokenized.kind === 'UNREACHABLE') return say('tasks.no_connection')
    if (tokenized.kind === 'REFUSED') {
      form.errors.value = tokenized.errors
      return say('tasks.declined')
    }
    const { type, processor, token } = tokenized.method
    const response = await sendInSession<{ task: DeepLinkTask }>(
      {
        path: '/go/sessions/current/payment_method',
        body: { attempt_key: browser.newKey(), payment_method: { type, processor, token } },
        timeoutMs: SEND_MS,
      },
      { unknown: 'tasks.pending', refused: 'tasks.declined' },
    )
    form.clearSecurityCodes()
    // A code in a frame of the processor is cleared with it.
    checkout.cvcResets.value += 1
    if (response.kind === 'OK' && !show(response.value.task)) await poll()
  }

  return {
    /** Opens the session, and shows what came of a method that the customer has entered before. */
    async open(): Promise<void> {
      checkout.hydrated.value = true
      if (store.step.value === 'over' || store.busy.value) return
      checkout.notice.value = null
      store.busy.value = true
      const task = await openSession()
      store.busy.value = false
      const outcome = task?.result?.outcome
      if (task && outcome === 'PENDING') await whileSaving(poll)
      else if (task && outcome && browser.isReturn) {
        if (outcome === 'SAVED') show(task)
        else {
          store.editing.value = true
          say('tasks.declined')
        }
      }
    },

    async saveMethod(): Promise<void> {
      if (checkout.step.value !== 'form') return
      form.touched.value = true
      checkout.notice.value = null
      await whileSaving(saveMethod)
    },

    async change(change: ContractChange): Promise<void> {
      if (store.busy.value) return
      store.busy.value = true
      checkout.notice.value = null
      const response = await sendInSession<{ task: DeepLinkTask }>(
        { path: '/go/sessions/current/contract', body: { change } },
        { unknown: 'tasks.no_connection', refused: 'tasks.not_changed' },
      )
      if (response.kind === 'OK') {
        store.task.value = response.value.task
        say(DONE[change], { tone: 'news' })
        // The merchant may have changed the contract meanwhile.
      } else if (response.kind === 'REFUSED' && store.step.value === 'open') await openSession()
      store.question.value = null
      store.busy.value = false
    },
  }
}
