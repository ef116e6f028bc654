import type { Permission } from '../../../shared/rules/permissions.ts'
import type { NewDeepLink } from '../../../shared/schemas/deep-link.ts'

export const TASKS = ['ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT'] as const
export type Task = (typeof TASKS)[number]

export const ALLOWANCES = ['PAYMENT_METHOD', 'PAUSE', 'CANCEL'] as const
type Allowance = (typeof ALLOWANCES)[number]

/** Longest life of a link that needs no sign-in. */
export const DAYS_MAX = 30

/** What each task needs beside the permission to make links. */
const NEEDED: Readonly<Record<Task, Permission>> = {
  ADD_PAYMENT_METHOD: 'accounts:write',
  PAY_CHARGES: 'payment_links:write',
  MANAGE_CONTRACT: 'charges:write',
}

/** Returns the tasks that a user may make links to. */
export const tasksOf = (permitted: ReadonlySet<Permission>): readonly Task[] =>
  permitted.has('payment_links:write') ? TASKS.filter((task) => permitted.has(NEEDED[task])) : []

/** A link to a task, as it is typed. */
export interface TaskDraft {
  action: Task
  account: string
  contract: string
  allow: readonly Allowance[]
  /** Days until it ends. */
  days: string
  /** Where the page leads back; empty for nowhere. */
  successUrl: string
}

export const isTaskReady = ({ action, account, contract, days, successUrl }: TaskDraft): boolean =>
  account !== '' &&
  (action !== 'MANAGE_CONTRACT' || contract !== '') &&
  /^\d{1,2}$/.test(days) &&
  Number(days) >= 1 &&
  Number(days) <= DAYS_MAX &&
  (successUrl === '' || URL.canParse(successUrl))

/** Returns the link to make at `now` (epoch milliseconds). */
export function taskLink(draft: TaskDraft, now: number): NewDeepLink {
  const { action, account, contract, allow, days, successUrl } = draft
  return {
    action,
    account,
    ...(action !== 'PAY_CHARGES' && contract !== '' && { contract }),
    ...(action === 'MANAGE_CONTRACT' && allow.length > 0 && { allow: [...allow] }),
    ...(successUrl !== '' && { options: { success_url: successUrl } }),
    // A minute less, because the clock of the server may be behind.
    expires: new Date(now + Number(days) * 86_400_000 - 60_000).toISOString(),
  }
}
