import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Has something happen in the gap that a check outside a transaction leaves: when the next one of
 * the app is about to begin, and before it does. Answers whether it has come to that.
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
