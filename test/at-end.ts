import { afterAll, onTestFinished } from 'vitest'

export type AtEnd = (clean: () => unknown) => void

/**
 * Calls `clean` when the running test ends, or, outside of a test, when the file does. Tests that run
 * concurrently use `onTestFinished` of their own context: which of them is running is not known.
 */
export function atEnd(clean: () => unknown): void {
  try {
    onTestFinished(async () => void (await clean()))
  } catch {
    afterAll(async () => void (await clean()))
  }
}
