import { readFileSync } from 'node:fs'
import { type Check, createCheck } from './check.ts'
import type { Document } from './find-operation.ts'

/**
 * Returns the document that every server of this product answers at `/openapi.json`. It is read from the
 * documentation, which a test compares with the server: so a client of a server in another process needs
 * none of the server's code.
 */
export function serverDocument(): Document {
  const file = new URL('../../docs/openapi.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Document
}

let check: Check | undefined

/** Fails when an exchange with a server is not as the document describes it. */
export function expectDocumented(exchange: Parameters<Check>[0]): void {
  check ??= createCheck(serverDocument())
  const problem = check(exchange)
  if (problem === undefined) return
  throw new Error(
    `${exchange.method} ${exchange.path}: ${problem} (npm run openapi writes the document)`,
  )
}
