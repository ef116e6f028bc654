import { afterAll, vi } from 'vitest'
import { refuseEmptyLists } from './refuse-empty-lists.ts'

refuseEmptyLists()

// The files of a worker share its environment and globals: what one file stubs ends with it.
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
