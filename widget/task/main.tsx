import { effect } from '@preact/signals'
import { hydrate } from 'preact'
import type { TaskPageModel } from '../../shared/page-model.ts'
import { inputId, FIELDS } from '../page/fields.ts'
import { chunksFor, loadChunks } from '../page/load-chunks.ts'
import { createTokenStore } from '../page/token-store.ts'
import { createTask } from './create-task.ts'
// eslint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './task.css'
import { TaskApp } from './TaskApp.tsx'

/** The entry point: brings the page of a task that the server rendered to life. */
async function start(root: HTMLElement, model: TaskPageModel): Promise<void> {
  // In every tab of this browser, as a link in an e-mail is often opened twice.
  const tokens = createTokenStore(() => localStorage)
  const { page, task } = createTask(
    model,
    {
      fetch: (input, init) => fetch(input, init),
      setTimer: (act, ms) => {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
      tokens,
      newAttemptKey: () => crypto.randomUUID(),
      now: Date.now,
      navigate: ({ url }) => location.assign(url),
    },
    {
      readToken: () => tokens.read(model.task_link),
      writeToken: (token) => tokens.write(model.task_link, token),
      newKey: () => crypto.randomUUID(),
      navigate: (url) => location.assign(url),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      isReturn: new URLSearchParams(location.search).has('st'),
    },
  )
  await loadChunks(chunksFor(page)).catch(() => {})
  for (const name of FIELDS) {
    const input = root.querySelector<HTMLInputElement>(`#${inputId(name)}`)
    if (input?.value) page.form.values[name].value = input.value
  }
  hydrate(<TaskApp page={page} task={task} />, root)
  effect(() => void loadChunks(chunksFor(page)).catch(() => {}))
  await task.actions.open()
}

const root = document.getElementById('checkout')
const model = document.getElementById('page-model')?.textContent
if (root && model) void start(root, JSON.parse(model) as TaskPageModel)
