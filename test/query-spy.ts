import type { CompiledQuery } from 'kysely'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'

/** Returns the queries that the product runs while `work` runs. */
export async function queriesDuring(
  app: TestApp,
  work: () => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const spy = vi.spyOn(app.checkstand.database.db.getExecutor(), 'executeQuery')
  try {
    await work()
    return spy.mock.calls.map(([query]) => query)
  } finally {
    spy.mockRestore()
  }
}
