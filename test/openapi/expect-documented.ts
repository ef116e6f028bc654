import { createOpenapiDocument } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { type Check, createCheck } from './check.ts'
import type { Document } from './find-operation.ts'

/** The document that every server of this product answers at `/openapi.json`. */
export function serverDocument(): Document {
  return JSON.parse(JSON.stringify(createOpenapiDocument(readConfig({})))) as Document
}

let check: Check | undefined

/** Fails when an exchange with a server is not as the document describes it. */
export function expectDocumented(exchange: Parameters<Check>[0]): void {
  check ??= createCheck(serverDocument())
  const problem = check(exchange)
  if (problem !== undefined) throw new Error(`${exchange.method} ${exchange.path}: ${problem}`)
}
