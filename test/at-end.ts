import { afterAll, onTestFinished } from 'vitest'

/** Calls `clean` when the running test ends, or, outside of a test, when the file does. */
export function atEnd(clean: () => unknown): void {
  try {
    onTestFinished(async () => void (await clean()))
  } catch {
    afterAll(async () => void (await clean()))
  }
}
