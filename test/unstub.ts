import { afterAll, vi } from 'vitest'

// The files of a worker share its environment and globals: what one file stubs ends with it.
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
