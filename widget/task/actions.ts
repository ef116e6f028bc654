import type { DeepLinkTask, OpenTaskResponse } from '../../shared/schemas/deep-link-task.ts'
import type { ApiResult } from '../page/api.ts'
import { fieldsWithErrors } from '../page/fields.ts'
import { checkForm } from '../page/form-input.ts'
import { chunksFor, loadChunks } from '../page/load-chunks.ts'
import { adapterOf } from '../page/methods/adapter-of.ts'
import type { PayPage } from '../page/page-context.ts'
import type { StringId } from '../page/translator.ts'
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

const POLL_MS = 2_000
const POLLS_MAX = 10

/** What the page asks of the server. Nothing throws: what goes wrong is said above the form. */
export function createActions(
  { checkout, form }: Pick<PayPage, 'checkout' | 'form'>,
  store: TaskStore,
  browser: Browser,
) {
  const { send } = checkout
  const token = () => browser.readToken() ?? ''
  const say = (id: StringId, tone: 'problem' | 'news' = 'problem') => {
    checkout.notice.value = { tone, id }
    checkout.focusRequests.value += 1
  }

  /** Returns the answer; undefined after it has said what went wrong. */
  function accepted<T>(response: ApiResult<T>): T | undefined {
    if (response.kind === 'OK') return response.value
    if (response.kind === 'REFUSED' && [401, 404, 410].includes(response.status)) {
      browser.writeToken(null)
      store.step.value = 'gone'
    } else say(response.kind === 'REFUSED' ? 'tasks.declined' : 'tasks.no_connection')
    return undefined
  }

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
      say('tasks.saved_title', 'news')
    }
    return outcome !== 'PENDING'
  }

  async function poll(): Promise<void> {
    for (let tries = 0; tries < POLLS_MAX; tries += 1) {
      await browser.wait(POLL_MS)
      const response = await send<{ task: DeepLinkTask }>({
        path: '/go/sessions/current',
        token: token(),
      })
      if (response.kind === 'OK' && show(response.value.task)) return
    }
    say('tasks.pending')
  }

  async function sendMethod(): Promise<void> {
    await loadChunks(['pay', ...chunksFor({ checkout, form })])
    const input = form.input()
    const errors = checkForm(input, checkout.checkout.value, checkout.time())
    form.errors.value = errors
    const invalid = fieldsWithErrors(errors)
    if (invalid.length > 0) {
      checkout.notice.value = {
        tone: 'problem',
        id: 'status.fields',
        values: { count: invalid.length },
      }
      checkout.focusRequests.value += 1
      return
    }
    const offered = input.choice?.offered
    const adapter = offered && adapterOf(offered)
    if (!offered || !adapter) return say('tasks.no_connection')
    const tokenized = await adapter.tokenize(input.values, send, checkout.time(), offered)
    if (tokenized.kind === 'UNREACHABLE') return say('tasks.no_connection')
    if (tokenized.kind === 'REFUSED') {
      form.errors.value = tokenized.errors
      return say('tasks.declined')
    }
    const { type, processor, token: methodToken } = tokenized.method
    const response = await send<{ task: DeepLinkTask }>({
      path: '/go/sessions/current/payment_method',
      token: token(),
      body: {
        attempt_key: browser.newKey(),
        payment_method: { type, processor, token: methodToken },
      },
      timeoutMs: 60_000,
    })
    form.clearSecurityCodes()
    const answer = accepted(response)
    if (answer && !show(answer.task)) await poll()
  }

  return {
    /** Opens the session, or goes on with the one that this browser has. */
    async open(): Promise<void> {
      checkout.hydrated.value = true
      if (store.step.value === 'gone') return
      const response = await send<OpenTaskResponse>({
        path: `/go/${store.link}/sessions`,
        body: { token: browser.readToken(), language: checkout.checkout.value.language },
      })
      const opened = accepted(response)
      if (!opened) return
      if (opened.status === 'IN_USE' || opened.task === null) {
        store.step.value = 'in_use'
        return
      }
      browser.writeToken(opened.token)
      store.step.value = 'open'
      store.task.value = opened.task
      if (!browser.isReturn || opened.task.result === null) return
      const isDeclined = ['DECLINED', 'ACTION'].includes(opened.task.result.outcome)
      if (isDeclined) {
        store.editing.value = true
        say('tasks.declined')
      } else if (!show(opened.task)) await poll()
    },

    async saveMethod(): Promise<void> {
      if (checkout.step.value !== 'form' || store.step.value !== 'open') return
      form.touched.value = true
      checkout.notice.value = null
      checkout.step.value = 'submitting'
      try {
        await sendMethod()
      } catch {
        say('tasks.no_connection')
      } finally {
        checkout.step.value = 'form'
      }
    },

    async change(change: 'CANCEL' | 'PAUSE' | 'RESUME'): Promise<void> {
      if (store.busy.value) return
      store.busy.value = true
      checkout.notice.value = null
      const response = await send<{ task: DeepLinkTask }>({
        path: '/go/sessions/current/contract',
        token: token(),
        body: { change },
      })
      const answer = accepted(response)
      if (answer) store.task.value = answer.task
      store.question.value = null
      store.busy.value = false
    },
  }
}
