import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { usePage } from '../page/page-context.ts'
import type { TaskActions } from './actions.ts'
import type { TaskStore } from './task-store.ts'

export interface TaskPage {
  store: TaskStore
  actions: TaskActions
}

export const TaskContext = createContext<TaskPage | undefined>(undefined)

/** The page of the task with its locale, for every component. */
export function useTask() {
  return { ...usePage(), ...useContext(TaskContext)! }
}
