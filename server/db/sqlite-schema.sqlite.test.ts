import { expect, it } from 'vitest'
import { migrations } from './migrations/index.ts'
import { digestOf, LATEST_DIGEST, schemaAfter } from './sqlite-schema.ts'

it('knows the schema that the migrations make by its digest', async () => {
  const latest = await schemaAfter(Object.keys(migrations).at(-1))
  expect(digestOf(latest), 'Set LATEST_DIGEST to what was received').toBe(LATEST_DIGEST)
})

it('tells schemas apart by any part, in any order', async () => {
  const latest = await schemaAfter(Object.keys(migrations).at(-1))
  expect(digestOf(latest.toReversed())).toBe(LATEST_DIGEST)
  const trigger = { name: 'trigger pay of payments', definition: 'create trigger pay' }
  expect(digestOf([...latest, trigger])).not.toBe(LATEST_DIGEST)
  expect(digestOf(latest.slice(1))).not.toBe(LATEST_DIGEST)
})
