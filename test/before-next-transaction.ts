import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Runs `act` just before the app's next transaction, after any check that the app makes outside it.
 * Returns a function that reports whether `act` ran.
 */
export function beforeNextTransaction(app: TestApp, act: () => Promise<unknown>): () => boolean {
  const { db } = app.checkstand.deps
  const begin = db.transaction.bind(db)
  let happened = false
  db.transaction = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      if (!happened) {
        happened = true
        await act()
      }
      return execute(work)
    }
    return builder
  }
  onTestFinished(() => {
    db.transaction = begin
  })
  return () => happened
}
