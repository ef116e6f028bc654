import { renderToString } from 'preact-render-to-string'
import type { TaskPageModel } from '../../shared/page-model.ts'
import { loadAllChunks } from '../page/load-chunks.ts'
import { createTask, taskTitle } from './create-task.ts'
import { TaskApp } from './TaskApp.tsx'

/** Rendering runs no action, so nothing of this is used. */
const SERVER = {
  fetch: () => Promise.reject(new Error('the server sends no requests while it renders')),
  setTimer: () => () => {},
  tokens: { read: () => null, write: () => {} },
  newAttemptKey: () => '',
  now: () => 0,
  navigate: () => {},
}
const NO_BROWSER = {
  readToken: () => null,
  writeToken: () => {},
  newKey: () => '',
  navigate: () => {},
  wait: () => Promise.resolve(),
  isReturn: false,
}

await loadAllChunks()

/** Renders the page of a task before anything of the customer is known. */
export function renderCheckout(model: TaskPageModel) {
  const { page, task } = createTask(model, SERVER, NO_BROWSER)
  return {
    title: taskTitle(model),
    body: renderToString(<TaskApp page={page} task={task} />),
    css: '',
    chunks: [],
  }
}
