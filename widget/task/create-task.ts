import type { TaskPageModel } from '../../shared/page-model.ts'
import { createCheckout, type Environment } from '../page/checkout.ts'
import { createForm } from '../page/form.ts'
import { createPage } from '../page/page-context.ts'
import { translatorFor } from '../page/translator.ts'
import { createActions } from './actions.ts'
import { createTaskStore } from './task-store.ts'

/** Makes the page of a task. Its fields are those of a checkout, which has no session. */
export function createTask(
  model: TaskPageModel,
  environment: Environment,
  browser: Parameters<typeof createActions>[2],
) {
  const checkout = createCheckout(model, environment)
  const form = createForm(checkout)
  form.chosenKey.subscribe(() => {
    // It counted the errors of the method that was left.
    if (checkout.notice.value?.id === 'status.fields') checkout.notice.value = null
  })
  const store = createTaskStore(model)
  const actions = createActions({ checkout, form }, store, browser)
  const page = createPage(checkout, form, () => void actions.saveMethod())
  return { page, task: { store, actions } }
}

/** The document title: the task, then the merchant. */
export function taskTitle(model: TaskPageModel): string {
  const { strings, language, merchant } = model.checkout
  const t = translatorFor(strings, language)
  const name =
    model.view !== 'FORM'
      ? t('tasks.over_title')
      : t(model.task_action === 'MANAGE_CONTRACT' ? 'tasks.title_contract' : 'tasks.title_add')
  return t('checkout.title', { name, merchant })
}
