import { signal } from '@preact/signals'
import type { TaskPageModel } from '../../shared/page-model.ts'
import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'

export type Question = 'CANCEL' | 'PAUSE'

/**
 * How far the customer is. `opening`: the session is asked for. `unreachable`: there is no answer.
 * `in_use`: another browser has the session. `over`: nothing can be done any more. `at_bank`: the
 * browser goes to the page of the bank.
 */
export type TaskStep = 'opening' | 'unreachable' | 'open' | 'in_use' | 'over' | 'at_bank'

export type TaskStore = ReturnType<typeof createTaskStore>

export function createTaskStore(model: TaskPageModel) {
  return {
    link: model.task_link,
    action: model.task_action,
    step: signal<TaskStep>(model.view === 'FORM' ? 'opening' : 'over'),
    task: signal<DeepLinkTask | null>(null),
    /** When the session of another browser ends, unless it is used; null if none has it. */
    freeAt: signal<string | null>(null),
    /** The form for another method is shown in place of the contract. */
    editing: signal(false),
    /** What the customer is asked to confirm. */
    question: signal<Question | null>(null),
    /** A change of the contract, or the opening of the session, is under way. */
    busy: signal(false),
  }
}
